import type { JsonSchema } from '@switchyard/contracts';

export const recordOf = (value: unknown): JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonSchema) : {};

export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);

export const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : 'none';

export const keysOf = (record: JsonSchema): string[] => Object.keys(record);

/** Follows a `$ref` within the document. */
export function resolved(document: JsonSchema, part: JsonSchema): JsonSchema {
  const reference = part['$ref'];
  if (typeof reference !== 'string') return part;
  const found = reference
    .split('/')
    .slice(1)
    .reduce<unknown>((at, name) => recordOf(at)[name.replaceAll('~1', '/').replaceAll('~0', '~')], document);
  if (found === undefined) throw new Error(`${reference} is not in the document`);
  return resolved(document, recordOf(found));
}
