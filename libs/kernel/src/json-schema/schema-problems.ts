import type { ErrorDetail } from '../errors';
import type { JsonObject } from '../json';
import { subschemasOf } from './subschemas';

/** Compiling blocks the event loop for about a millisecond for each subschema. */
export const SCHEMA_LIMITS = { bytes: 64 * 1024, depth: 32, subschemas: 1000 };

const DIALECTS = new Set([
  'https://json-schema.org/draft/2020-12/schema',
  'https://json-schema.org/draft/2020-12/schema#',
]);
const REFERENCES = ['$ref', '$dynamicRef'];

/**
 * Rejects a user's schema before it is compiled: another dialect, references out of the document, ids that change the
 * meaning of references, and schemas that are too expensive to check.
 */
export function schemaProblems(schema: JsonObject): ErrorDetail[] {
  const bytes = Buffer.byteLength(JSON.stringify(schema));
  if (bytes > SCHEMA_LIMITS.bytes)
    return [{ path: '', message: `must not be longer than ${SCHEMA_LIMITS.bytes} bytes` }];
  const all = subschemasOf(schema);
  if (all.length > SCHEMA_LIMITS.subschemas) {
    return [{ path: '', message: `must not hold more than ${SCHEMA_LIMITS.subschemas} schemas` }];
  }
  const problems: ErrorDetail[] = [];
  for (const { schema: part, path, depth } of all) {
    if (depth > SCHEMA_LIMITS.depth) return [{ path, message: `is nested deeper than ${SCHEMA_LIMITS.depth} levels` }];
    if (part['$schema'] !== undefined && !(typeof part['$schema'] === 'string' && DIALECTS.has(part['$schema']))) {
      problems.push({ path: `${path}/$schema`, message: 'must be JSON Schema 2020-12' });
    }
    if (path !== '' && part['$id'] !== undefined) {
      problems.push({ path: `${path}/$id`, message: 'is allowed at the top only' });
    }
    for (const keyword of REFERENCES) {
      const reference = part[keyword];
      if (reference !== undefined && !(typeof reference === 'string' && reference.startsWith('#'))) {
        problems.push({ path: `${path}/${keyword}`, message: 'must point into this schema, as "#/$defs/name" does' });
      }
    }
  }
  return problems;
}
