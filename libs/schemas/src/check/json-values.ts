import { isPlainObject } from '@switchyard/kernel';
import { spend } from '../meter';
import { fieldNames, schemaFieldNames } from './field-names';

/** Cost of comparing two lists or objects, besides their contents. */
const OBJECT = 40;

/** JSON equality. Spends budget, at most for the size of `wanted`. */
export function isSame(wanted: unknown, value: unknown): boolean {
  spend(2);
  if (wanted === value) return true;
  if (typeof wanted !== 'object' || typeof value !== 'object' || wanted === null || value === null) return false;
  spend(OBJECT);
  if (Array.isArray(wanted)) {
    return (
      Array.isArray(value) && wanted.length === value.length && wanted.every((item, at) => isSame(item, value[at]))
    );
  }
  if (!isPlainObject(wanted) || !isPlainObject(value)) return false;
  const names = schemaFieldNames(wanted);
  return (
    names.length === fieldNames(value).length &&
    names.every((name) => Object.hasOwn(value, name) && isSame(wanted[name], value[name]))
  );
}

/** Own properties only. */
export const hasField = (value: Record<string, unknown>, name: string): boolean =>
  value[name] !== undefined && Object.hasOwn(value, name);
