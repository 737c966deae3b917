import { isPlainObject } from '@switchyard/kernel';
import { spend } from '../meter';

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
  const keys = Object.keys(wanted);
  return (
    keys.length === fieldsOf(value) && keys.every((key) => Object.hasOwn(value, key) && isSame(wanted[key], value[key]))
  );
}

const counts = new WeakMap<object, number>();

/** How many fields an object has. To count them takes as long as there are fields, so it is done once. */
function fieldsOf(value: object): number {
  let known = counts.get(value);
  if (known === undefined) {
    known = Object.keys(value).length;
    spend(known);
    counts.set(value, known);
  }
  return known;
}

/** The fields of an object by name; there is nothing to see in what it inherits. */
export const hasField = (value: Record<string, unknown>, name: string): boolean =>
  value[name] !== undefined && Object.hasOwn(value, name);
