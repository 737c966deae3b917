import type { FilterFieldType } from '@switchyard/kernel';

/** The type of a column in Postgres. Times are kept in UTC without a zone, so that they read back as they are. */
export const SQL_TYPES: Record<FilterFieldType, string> = {
  string: 'text',
  text: 'text',
  integer: 'bigint',
  number: 'double precision',
  decimal: 'numeric',
  boolean: 'boolean',
  date: 'date',
  datetime: 'timestamp',
  uuid: 'uuid',
  json: 'jsonb',
  'string[]': 'text[]',
};

/** A canonical value as the driver should bind it. */
export function toBound(type: FilterFieldType, value: unknown): unknown {
  if (type === 'json') return JSON.stringify(value);
  if (type === 'datetime') return (value as string).slice(0, -1);
  if (type === 'integer' || type === 'number') return String(value);
  return value;
}

/** Times and days leave as text: a Date would lose microseconds, and the zone of the process would creep in. */
export const selected = (sql: string, type: FilterFieldType): string =>
  type === 'datetime' || type === 'date' ? `${sql}::text` : sql;

/** `2026-01-31 08:00:00.12` of the database as the instant that callers know. */
export function instantFromSql(text: string): string {
  const fraction = text.slice(20);
  const digits =
    fraction.length === 3 ? fraction : fraction.length < 3 ? fraction.padEnd(3, '0') : fraction.padEnd(6, '0');
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${digits}Z`;
}

export const fromSql = (type: FilterFieldType, value: unknown): unknown =>
  type === 'datetime' ? instantFromSql(value as string) : value;
