import { AppError, JSON_LIMITS, countValues, findText, isDay, splitText } from '@switchyard/kernel';
import { countFields } from './count-object-fields';

type TemplateFilter = (value: unknown, ...args: unknown[]) => unknown;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** How a value reads in the middle of a text. */
export const asText = (value: unknown): string => {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
};

/** JSON truthiness: false, null, 0 and the empty text do not hold; every list and object does. */
export const isTruthy = (value: unknown): boolean => Boolean(value);

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);

/** A longer text is no number, so that a filter need not read all of it. */
const MAX_DIGITS = 1000;

const toNumber = (value: unknown): number | null => {
  if (typeof value === 'string' && value.length > MAX_DIGITS) return null;
  const text = typeof value === 'string' ? value.trim() : value;
  const number = text === '' || text === null || typeof text === 'object' ? NaN : Number(text);
  return Number.isFinite(number) ? number : null;
};

/** Moves the decimal point in the notation: a product would make 100.49999999999999 of 1.005. */
const shifted = (number: number, slots: number): number => {
  const [digits, exponent = '0'] = String(number).split('e');
  return Number(`${digits}e${Number(exponent) + slots}`);
};

/** As people round: a half goes away from zero. */
const rounded = (value: unknown, digits: unknown): number | null => {
  const number = toNumber(value);
  if (number === null) return null;
  const slots = Math.min(15, Math.max(0, Math.trunc(toNumber(digits) ?? 0)));
  const result = shifted(Math.round(shifted(Math.abs(number), slots)), -slots);
  return Number.isFinite(result) ? Math.sign(number) * result + 0 : number;
};

const arithmetic =
  (combine: (a: number, b: number) => number): TemplateFilter =>
  (value, other) => {
    const [left, right] = [toNumber(value), toNumber(other)];
    if (left === null || right === null) return null;
    const result = combine(left, right);
    return Number.isFinite(result) ? result : null;
  };

const ordered =
  (holds: (order: number) => boolean): TemplateFilter =>
  (value, other) => {
    if (typeof value === 'string' && typeof other === 'string')
      return holds(value < other ? -1 : value > other ? 1 : 0);
    const [left, right] = [toNumber(value), toNumber(other)];
    return left !== null && right !== null && holds(left - right);
  };

/** The other side is always a literal: no list or object is equal to it. */
const equal = (value: unknown, other: unknown): boolean => (value ?? null) === (other ?? null);

const contains: TemplateFilter = (value, part) => {
  if (typeof value === 'string') return findText(value, asText(part)) !== -1;
  if (Array.isArray(value)) return value.some((item) => equal(item, part));
  return isObject(value) && Object.hasOwn(value, asText(part));
};

const parsed: TemplateFilter = (value) => {
  if (typeof value !== 'string') return value;
  if (/^\s*[[{]/.test(value) && countValues(value, JSON_LIMITS.nodes) > JSON_LIMITS.nodes)
    throw new AppError('VALIDATION_ERROR', `The filter parse reads a text of more than ${JSON_LIMITS.nodes} values.`);
  try {
    return JSON.parse(value);
  } catch {
    return null;
  }
};

/** Null for what is no time, and for a day that no calendar has: a Date would go on to the next month. */
const instant: TemplateFilter = (value) => {
  const day = typeof value === 'string' ? /^\s*(\d{4}-\d{2}-\d{2})(?!\d)/.exec(value)?.[1] : undefined;
  if (day !== undefined && !isDay(day)) return null;
  const date = new Date(typeof value === 'number' ? value : asText(value));
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
};

const length: TemplateFilter = (value) => {
  if (typeof value === 'string' || Array.isArray(value)) return value.length;
  return isObject(value) ? countFields(value) : 0;
};

/** All there is. Each is pure: the same value in, the same value out, on every replica and every attempt. */
const FILTERS: ReadonlyMap<string, TemplateFilter> = new Map<string, TemplateFilter>([
  ['default', (value, fallback = null) => (value === null || value === '' ? fallback : value)],
  ['string', asText],
  ['number', toNumber],
  ['boolean', (value) => (value === 'false' ? false : isTruthy(value))],
  ['json', (value) => JSON.stringify(value)],
  ['parse', parsed],
  ['upper', (value) => asText(value).toUpperCase()],
  ['lower', (value) => asText(value).toLowerCase()],
  ['trim', (value) => asText(value).trim()],
  [
    'replace',
    (value, from = '', to = '') =>
      asText(from) === '' ? asText(value) : splitText(asText(value), asText(from)).join(asText(to)),
  ],
  ['split', (value, separator = ',') => splitText(asText(value), asText(separator))],
  [
    'join',
    (value, separator = ', ') => (Array.isArray(value) ? value.map(asText).join(asText(separator)) : asText(value)),
  ],
  [
    'slice',
    (value, start = 0, end) =>
      typeof value === 'string' || Array.isArray(value)
        ? value.slice(toNumber(start) ?? 0, toNumber(end) ?? undefined)
        : null,
  ],
  ['length', length],
  ['first', (value) => listOf(value)[0]],
  ['last', (value) => listOf(value).at(-1)],
  ['keys', (value) => (isObject(value) ? Object.keys(value) : [])],
  ['values', (value) => (isObject(value) ? Object.values(value) : [])],
  ['round', rounded],
  [
    'floor',
    (value) => {
      const number = toNumber(value);
      return number === null ? null : Math.floor(number);
    },
  ],
  [
    'ceil',
    (value) => {
      const number = toNumber(value);
      return number === null ? null : Math.ceil(number);
    },
  ],
  [
    'abs',
    (value) => {
      const number = toNumber(value);
      return number === null ? null : Math.abs(number);
    },
  ],
  ['plus', arithmetic((a, b) => a + b)],
  ['minus', arithmetic((a, b) => a - b)],
  ['times', arithmetic((a, b) => a * b)],
  ['eq', equal],
  ['ne', (value, other) => !equal(value, other)],
  ['gt', ordered((order) => order > 0)],
  ['gte', ordered((order) => order >= 0)],
  ['lt', ordered((order) => order < 0)],
  ['lte', ordered((order) => order <= 0)],
  ['contains', contains],
  ['not', (value) => !isTruthy(value)],
  ['exists', (value) => value !== null],
  ['date', instant],
  ['urlencode', (value) => encodeURIComponent(asText(value).toWellFormed())],
  ['base64', (value) => Buffer.from(asText(value)).toString('base64')],
]);

export const FILTER_NAMES: readonly string[] = [...FILTERS.keys()];

export const isFilter = (name: string): boolean => FILTERS.has(name);

export function applyFilter(name: string, value: unknown, args: unknown[]): unknown {
  const filter = FILTERS.get(name);
  return filter ? (filter(value, ...args) ?? null) : null;
}
