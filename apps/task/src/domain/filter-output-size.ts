import { findText, isPlainObject, jsonBytes } from '@switchyard/kernel';
import { countFields, isCounted } from './count-object-fields';

/** How large the text of a value is, without building it. */
export const textBytes = (value: unknown, limit: number): number => {
  if (value === null || value === undefined) return 0;
  if (typeof value !== 'string') return jsonBytes(value, limit);
  return value.length > limit ? value.length : Buffer.byteLength(value);
};

const text = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

function countOf(value: string, part: string): number {
  if (part === '') return value.length;
  let count = 0;
  for (let at = findText(value, part); at !== -1; at = findText(value, part, at + part.length)) count += 1;
  return count;
}

type Size = (value: unknown, args: readonly unknown[], limit: number) => number;

const ofText: Size = (value, _, limit) => textBytes(value, limit);

/** Each piece has its quotes and its comma. */
const PIECE = 3;
/** Less than the JSON of the smallest field. */
const FIELD = 5;

/**
 * How many bytes a filter reads and how many its result may have, before it is run. A filter that is not named here
 * looks at one place of the value, or gives a part of it.
 */
const SIZES: ReadonlyMap<string, Size> = new Map<string, Size>([
  ['string', ofText],
  ['upper', ofText],
  ['lower', ofText],
  ['trim', ofText],
  ['number', ofText],
  ['date', ofText],
  ['parse', ofText],
  ['json', (value, _, limit) => jsonBytes(value, limit)],
  ['urlencode', ofText],
  ['base64', (value, _, limit) => Math.ceil((textBytes(value, limit) * 4) / 3)],
  [
    'replace',
    (value, [from = '', to = ''], limit) => {
      const bytes = textBytes(value, limit);
      if (bytes > limit || text(from) === '') return bytes;
      return (
        bytes + countOf(text(value ?? ''), text(from)) * Math.max(0, textBytes(to, limit) - textBytes(from, limit))
      );
    },
  ],
  [
    'split',
    (value, [separator = ','], limit) => {
      const bytes = textBytes(value, limit);
      return bytes > limit ? bytes : bytes + PIECE * (countOf(text(value ?? ''), text(separator)) + 1);
    },
  ],
  [
    'join',
    (value, [separator = ', '], limit) => {
      if (!Array.isArray(value)) return textBytes(value, limit);
      return jsonBytes(value, limit) + value.length * textBytes(separator, limit);
    },
  ],
  [
    'slice',
    (value, _, limit) =>
      Array.isArray(value) ? value.length : typeof value === 'string' ? textBytes(value, limit) : 1,
  ],
  ['length', (value) => (isPlainObject(value) && !isCounted(value) ? FIELD * countFields(value) : 1)],
  ['contains', (value, _, limit) => (Array.isArray(value) ? value.length : textBytes(value, limit))],
  ['keys', (value, _, limit) => jsonBytes(value, limit)],
  ['values', (value, _, limit) => jsonBytes(value, limit)],
]);

export const filterBytes = (name: string, value: unknown, args: readonly unknown[], limit: number): number =>
  SIZES.get(name)?.(value, args, limit) ?? 1;
