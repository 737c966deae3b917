import { detailOf } from '@switchyard/contracts';
import { type ErrorDetail, type JsonObject, type Subschema, SUBSCHEMAS, isPlainObject } from '@switchyard/kernel';
import Ajv2020 from 'ajv/dist/2020';
import { SHOWN_PROBLEMS } from './check/check-node';

const metaSchemas = new Ajv2020({ strict: false, logger: false });

const bare = (value: unknown): unknown => (isPlainObject(value) ? true : value);

/** Replaces all subschemas by `true`; they are checked separately. */
function withoutSubschemas(schema: JsonObject): JsonObject {
  const copy: JsonObject = { ...schema };
  for (const keyword of SUBSCHEMAS.one) if (keyword in copy) copy[keyword] = bare(copy[keyword]);
  for (const keyword of SUBSCHEMAS.lists) {
    const list = copy[keyword];
    if (Array.isArray(list)) copy[keyword] = list.map(bare);
  }
  for (const keyword of SUBSCHEMAS.maps) {
    const map = copy[keyword];
    if (isPlainObject(map))
      copy[keyword] = Object.fromEntries(Object.entries(map).map(([name, value]) => [name, bare(value)]));
  }
  return copy;
}

/**
 * Validates one schema against the meta-schema. Subschemas are validated separately, so that the caller can yield in
 * between.
 */
export function shapeProblems({ schema, path }: Subschema): ErrorDetail[] {
  if (metaSchemas.validateSchema(withoutSubschemas(schema))) return [];
  return (metaSchemas.errors ?? [])
    .slice(0, SHOWN_PROBLEMS)
    .map((error) => ({ path: `${path}${error.instancePath}`, message: detailOf(error).message }));
}
