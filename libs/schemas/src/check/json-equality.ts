import { isPlainObject } from '@switchyard/kernel';
import { spend } from '../check-cost-limit';
import { fieldNames, schemaFieldNames } from './schema-field-names';

/** Cost of comparing two lists or objects, besides their contents. */
const OBJECT = 40;

/** JSON equality. Spends budget, at most for the size of `expected`. */
export function isSame(expected: unknown, value: unknown): boolean {
  spend(2);
  if (expected === value) return true;
  if (typeof expected !== 'object' || typeof value !== 'object' || expected === null || value === null) return false;
  spend(OBJECT);
  if (Array.isArray(expected)) {
    return (
      Array.isArray(value) && expected.length === value.length && expected.every((item, at) => isSame(item, value[at]))
    );
  }
  if (!isPlainObject(expected) || !isPlainObject(value)) return false;
  const names = schemaFieldNames(expected);
  return (
    names.length === fieldNames(value).length &&
    names.every((name) => Object.hasOwn(value, name) && isSame(expected[name], value[name]))
  );
}

/** Own properties only. */
export const hasField = (value: Record<string, unknown>, name: string): boolean =>
  value[name] !== undefined && Object.hasOwn(value, name);
