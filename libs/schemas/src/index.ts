export { CHECK_BUDGET, type CompiledSchema, type SchemaCheck, compileSchema } from './compile-schema';
