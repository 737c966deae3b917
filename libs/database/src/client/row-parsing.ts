import { types } from 'pg';
import type { QueryResult } from 'pg';
import { textArray } from './parse-text-array';

const camelNames = new Map<string, string>();

export const camelName = (name: string): string => {
  let found = camelNames.get(name);
  if (found === undefined) {
    found = name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
    // Bounded: generated column names would grow the map forever.
    if (camelNames.size < 5000) camelNames.set(name, found);
  }
  return found;
};

/** Rows with camelCase names. */
export function camelRows<Row>(result: QueryResult): Row[] {
  const names = result.fields.map((field) => [field.name, camelName(field.name)] as const);
  if (names.every(([from, to]) => from === to)) return result.rows as Row[];
  return result.rows.map((row: Record<string, unknown>) => {
    const out: Record<string, unknown> = {};
    for (const [from, to] of names) out[to] = row[from];
    return out as Row;
  });
}

const TIMESTAMPTZ = 1184;
const TIMESTAMP = 1114;
const DATE = 1082;
const INT8 = 20;
const TEXT_ARRAY = 1009;

/** Format of timestamps in a UTC session: `2026-11-22 16:22:23.123456+00`. */
const UTC_TIME = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{1,6})?\+00$/;

/** Most timestamps can be rewritten without parsing, which is faster for long lists. */
export function isoTime(text: string): string {
  if (!UTC_TIME.test(text)) return new Date(text).toISOString();
  const milliseconds = text.slice(20, Math.min(23, text.length - 3)).padEnd(3, '0');
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${milliseconds}Z`;
}

const parsers = new Map<number, (text: string) => unknown>([
  [TIMESTAMPTZ, isoTime],
  [TIMESTAMP, (text) => text],
  [DATE, (text) => text],
  [INT8, Number],
  [TEXT_ARRAY, textArray],
]);

/** Timestamps become ISO-8601 texts with milliseconds, bigints numbers; dates stay. */
export const typeParsers = {
  getTypeParser(oid: number, format?: 'text' | 'binary'): unknown {
    const own = format === 'binary' ? undefined : parsers.get(oid);
    return own ?? types.getTypeParser(oid, format);
  },
};

/** Parser of a column in text format. */
export const textParser = (oid: number): ((text: string) => unknown) =>
  typeParsers.getTypeParser(oid, 'text') as (text: string) => unknown;
