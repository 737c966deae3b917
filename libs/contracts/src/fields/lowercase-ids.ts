import { isPlainObject } from '@switchyard/kernel';
import { schemaOf } from './field';
import type { Class, JsonSchema } from './field-schema';

/** Lower-cases the ids in a value, in place, and returns the value if it is an id itself. */
type Lowering = (value: unknown) => unknown;

const lowerings = new WeakMap<Class, { lowering: Lowering | null }>();

/**
 * Lower-cases UUIDs as Postgres does, because they are compared as text. Runs before validation, so that duplicates in
 * lists are found.
 */
export function lowerIds(type: Class, value: unknown): void {
  let existing = lowerings.get(type);
  if (!existing) {
    existing = { lowering: loweringOf(schemaOf(type)) };
    lowerings.set(type, existing);
  }
  existing.lowering?.(value);
}

const lowerText: Lowering = (value) => (typeof value === 'string' ? value.toLowerCase() : value);

/** Null if the schema has no ids. Alternatives (anyOf) are not changed. */
function loweringOf(schema: unknown): Lowering | null {
  if (!isPlainObject(schema)) return null;
  const { format, properties, items, additionalProperties } = schema as JsonSchema;
  if (format === 'uuid') return lowerText;
  const item = loweringOf(items);
  if (item) return (value) => (Array.isArray(value) ? (eachIn(value, item), value) : value);
  const named = new Map(Object.entries(isPlainObject(properties) ? properties : {}));
  const fields = [...named].flatMap(([name, field]): [string, Lowering][] => {
    const lowering = loweringOf(field);
    return lowering ? [[name, lowering]] : [];
  });
  const other = loweringOf(additionalProperties);
  if (fields.length === 0 && !other) return null;
  return (value) => {
    if (!isPlainObject(value)) return value;
    for (const [name, lowering] of fields) if (Object.hasOwn(value, name)) value[name] = lowering(value[name]);
    const rest = other ? Object.keys(value).filter((name) => name !== '__proto__' && !named.has(name)) : [];
    for (const name of rest) value[name] = other?.(value[name]);
    return value;
  };
}

function eachIn(list: unknown[], lowering: Lowering): void {
  for (let at = 0; at < list.length; at += 1) list[at] = lowering(list[at]);
}
