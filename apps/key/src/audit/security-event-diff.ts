import { jsonBytes, type JsonObject, truncated } from '@switchyard/kernel';

/** A value in a security event: longer ones are named by their size. */
const VALUE_BYTES = 2048;

const shown = (value: unknown): unknown => {
  if (value === undefined) return null;
  const bytes = jsonBytes(value);
  return bytes > VALUE_BYTES ? truncated(bytes) : value;
};

/** The details of a security event: the fields that were given, and the old and the new value of those that differ. */
export function recordedChanges(before: JsonObject, after: JsonObject): { fields: string[]; changes: object[] } {
  const fields = Object.keys(after);
  const differ = fields.filter((path) => JSON.stringify(before[path] ?? null) !== JSON.stringify(after[path] ?? null));
  return { fields, changes: differ.map((path) => ({ path, from: shown(before[path]), to: shown(after[path]) })) };
}
