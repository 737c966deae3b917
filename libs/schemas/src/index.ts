export {
  type CompiledSchema,
  type SchemaCheck,
  type UsableSchema,
  compileSchema,
  compileSchemaNow,
} from './compile-schema';
export { CompiledSchemas } from './compiled-schemas';
