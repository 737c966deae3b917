export {
  type CompiledSchema,
  type SchemaCheck,
  type UsableSchema,
  compileSchema,
  compileSchemaNow,
} from './compile-schema';
export { CompiledSchemaCache } from './compiled-schema-cache';
