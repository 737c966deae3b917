import { isId } from '../ids';
import { DECIMAL_DIGITS, isDecimal } from './decimal';
import { canonicalInstant, isDay } from './instant';

export const FIELD_TYPES = [
  'string',
  'text',
  'integer',
  'number',
  'decimal',
  'boolean',
  'date',
  'datetime',
  'uuid',
  'json',
  'string[]',
] as const;

export type FilterFieldType = (typeof FIELD_TYPES)[number];

export type Typed = { value: unknown } | { problem: string };

const isText = (value: unknown): value is string =>
  typeof value === 'string' && value.isWellFormed() && !value.includes('\u0000');

const check = (ok: boolean, value: unknown, problem: string): Typed => (ok ? { value } : { problem });

/** Parses a value as a field's type into its canonical spelling, or returns the error message. */
export function readTyped(type: FilterFieldType, value: unknown): Typed {
  switch (type) {
    case 'string':
    case 'text':
      return check(isText(value), value, 'must be a string without NUL and lone surrogates');
    case 'integer':
      return check(Number.isSafeInteger(value), value, 'must be an integer between -(2^53 - 1) and 2^53 - 1');
    case 'number':
      return check(Number.isFinite(value), value, 'must be a number');
    case 'decimal':
      return check(
        typeof value === 'string' && isDecimal(value),
        value,
        `must be a decimal in a string, as "12.50", of at most ${DECIMAL_DIGITS} characters`,
      );
    case 'boolean':
      return check(typeof value === 'boolean', value, 'must be true or false');
    case 'date':
      return check(typeof value === 'string' && isDay(value), value, 'must be a day as YYYY-MM-DD');
    case 'datetime': {
      const instant = typeof value === 'string' ? canonicalInstant(value) : null;
      return check(instant !== null, instant, 'must be a time with its offset, as 2026-01-31T08:00:00.000Z');
    }
    case 'uuid':
      return isId(value) ? { value: value.toLowerCase() } : { problem: 'must be a UUID' };
    case 'json':
      return check(value !== undefined, value, 'must be JSON');
    case 'string[]':
      return check(Array.isArray(value) && value.every(isText), value, 'must be a list of strings');
  }
}
