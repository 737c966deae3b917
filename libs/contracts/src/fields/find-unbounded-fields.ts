import type { JsonSchema } from './field-schema';
import { MAX_BYTES } from './json-size';

/** Paths of free-form values and lists without a limit, for the test that there are none. */
export function unbounded(schema: unknown, path: string): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { type, properties, items, additionalProperties, ...rest } = schema as JsonSchema;
  if (rest[MAX_BYTES] !== undefined) return [];
  const anyOf = (rest['anyOf'] ?? []) as unknown[];
  const types = [type].flat();
  const isFree = type === undefined && anyOf.length === 0 && rest['enum'] === undefined && rest['const'] === undefined;
  const isOpen = types.includes('object') && additionalProperties !== false;
  const isEndless = types.includes('array') && rest['maxItems'] === undefined;
  if (isFree || isOpen || isEndless) return [path];
  return [
    ...Object.entries(properties ?? {}).flatMap(([name, field]) => unbounded(field, `${path}.${name}`)),
    ...unbounded(items, `${path}[]`),
    ...anyOf.flatMap((one) => unbounded(one, path)),
  ];
}
