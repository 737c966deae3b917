import { canonicalJson, type FilterFieldType, jsonBytes, readTyped } from '@switchyard/kernel';
import type { DatasetField } from '@switchyard/contracts';

/** The values that a field may have, read once for all records of its layout. */
export interface EnumValues {
  has(value: unknown): boolean;
  /** For the message of a value that is none of them. */
  shown: string;
}

const SHOWN_CHARS = 500;
/** A value of a list, and its key in a set: a few characters take as much as a hundred. */
const BYTES_OF_VALUE = 100;
const ofFields = new WeakMap<DatasetField, EnumValues>();

/** `1.0` and `1.00` are one number. */
function decimalKey(text: string): string {
  const short = text.includes('.') ? text.replace(/\.?0+$/, '') : text;
  return short === '-0' ? '0' : short;
}

/** Equal values have equal keys. */
function keyOf(type: FilterFieldType, value: unknown): unknown {
  if (type === 'decimal') return decimalKey(value as string);
  // A field of JSON may have a text that looks like an object.
  return typeof value === 'object' || type === 'json' ? canonicalJson(value) : value;
}

export function enumValuesOf(field: DatasetField): EnumValues | undefined {
  if (field.enum === undefined) return undefined;
  const cached = ofFields.get(field);
  if (cached) return cached;
  const keys = new Set<unknown>();
  for (const item of field.enum) {
    const read = readTyped(field.type, item);
    if ('value' in read) keys.add(keyOf(field.type, read.value));
  }
  const values: EnumValues = {
    has: (value) => keys.has(keyOf(field.type, value)),
    shown: JSON.stringify(field.enum).slice(0, SHOWN_CHARS),
  };
  ofFields.set(field, values);
  return values;
}

/**
 * The memory of a field with what is made of it: the values that it may have are there as texts, and once more in a
 * set.
 */
export function fieldBytes(field: DatasetField): number {
  const values = field.enum === undefined ? 0 : field.enum.length * BYTES_OF_VALUE + jsonBytes(field.enum);
  return jsonBytes(field) + values;
}
