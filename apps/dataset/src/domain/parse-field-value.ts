import { checkJson, readTyped, type Typed } from '@switchyard/kernel';
import { type DatasetField, OVER_TEXT_BYTES, isOverTextBytes } from '@switchyard/contracts';
import { enumValuesOf } from './enum-values';

const KEY_BYTES = 2000;

const problem = (text: string): Typed => ({ problem: text });
/** A character has at most three bytes in UTF-8, or two of them four. */
const isOverKeyBytes = (text: string): boolean => text.length > KEY_BYTES / 3 && Buffer.byteLength(text) > KEY_BYTES;
const isKeyed = (field: DatasetField): boolean => field.unique === true || field.indexed === true;

/** A value of one field in the spelling it is stored in, or what is wrong with it. Null is not a value here. */
export function readField(field: DatasetField, value: unknown): Typed {
  const read = readTyped(field.type, value);
  if ('problem' in read) return read;
  if (typeof read.value === 'string') {
    if (isKeyed(field) && isOverKeyBytes(read.value)) {
      return problem(`must not be longer than ${KEY_BYTES} bytes, because the field is indexed`);
    }
    if (isOverTextBytes(read.value)) return problem(OVER_TEXT_BYTES);
  }
  if (field.type === 'string[]') {
    const items = read.value as string[];
    if (items.length > 10_000) return problem('must not hold more than 10000 strings');
    if (isKeyed(field) && items.some(isOverKeyBytes)) {
      return problem(`must not hold a string longer than ${KEY_BYTES} bytes, because the field is indexed`);
    }
  }
  if (field.type === 'json') checkJson(read.value);
  const listed = enumValuesOf(field);
  if (listed && !listed.has(read.value)) return problem(`must be one of ${listed.shown}`);
  return read;
}
