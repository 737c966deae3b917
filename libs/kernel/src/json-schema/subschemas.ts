import { isPlainObject, type JsonObject } from '../json';

const ONE = [
  'additionalProperties',
  'items',
  'contains',
  'not',
  'if',
  'then',
  'else',
  'propertyNames',
  'unevaluatedItems',
  'unevaluatedProperties',
  'contentSchema',
];
const LISTS = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];
const MAPS = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas', 'dependencies'];

/** Keywords that contain a schema, a list of schemas, or schemas by name. */
export const SUBSCHEMAS = { one: ONE, lists: LISTS, maps: MAPS };

export interface Subschema {
  schema: JsonObject;
  path: string;
  depth: number;
}

/** All subschemas of a schema, itself first. `enum`, `const`, `default` and `examples` contain data, not schemas. */
export function subschemasOf(root: JsonObject): Subschema[] {
  const found: Subschema[] = [];
  const waiting: Subschema[] = [{ schema: root, path: '', depth: 0 }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    found.push(next);
    waiting.push(...childrenOf(next).reverse());
  }
  return found;
}

function childrenOf({ schema, path, depth }: Subschema): Subschema[] {
  const children: Subschema[] = [];
  const add = (value: unknown, where: string): void => {
    if (isPlainObject(value)) children.push({ schema: value, path: `${path}/${where}`, depth: depth + 1 });
  };
  for (const keyword of ONE) add(schema[keyword], keyword);
  for (const keyword of LISTS) {
    const list = schema[keyword];
    if (Array.isArray(list)) list.forEach((item, index) => add(item, `${keyword}/${index}`));
  }
  for (const keyword of MAPS) {
    const map = schema[keyword];
    if (isPlainObject(map)) Object.entries(map).forEach(([name, item]) => add(item, `${keyword}/${name}`));
  }
  return children;
}
