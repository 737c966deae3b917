import { isPlainObject } from '@switchyard/kernel';
import { spend } from '../meter';
import { fieldNames, schemaFieldNames } from './field-names';

/** Two lists or objects, beside what is in them. */
const OBJECT = 40;

/** Whether two values are the same JSON. What is compared is paid for, and no more is looked at than `wanted` has. */
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

/** The fields of an object by name; there is nothing to see in what it inherits. */
export const hasField = (value: Record<string, unknown>, name: string): boolean =>
  value[name] !== undefined && Object.hasOwn(value, name);
