import { AppError, invalid, jsonBytes } from '@switchyard/kernel';
import type { Column, Layout } from './table-layout';
import type { WrittenValues } from './parse-records';

/** The JSON of one record with the defaults of its fields, without its id and times. */
export const RECORD_BYTES = 1024 * 1024;
/** The JSON of all records of one insert or of one part of an import. */
export const BATCH_BYTES = 10 * 1024 * 1024;

/** An escaped character is `\u0000`; one that is not escaped has at most three bytes. */
const BYTES_OF_CHARACTER = 6;
const BYTES_OF_NUMBER = 26;
const BYTES_OF_FIXED = 8;
/** Maximum bytes of one update: its values times the records that it changes. */
const UPDATE_BYTES = 256 * 1024 * 1024;
/** An update with less than this is bounded by the time of its statement. */
const SMALL_UPDATE = 1024;

/**
 * Refuses records that are too large with their defaults, before the statement that writes them is made: a default of
 * some kilobytes is a few bytes of the request, and is written once for each record. Most records are let through by an
 * upper bound that looks at lengths alone.
 */
export function checkSizes(
  layout: Layout,
  records: readonly WrittenValues[],
  indexOfRow: (index: number) => string,
): void {
  let total = 0;
  for (const [index, values] of records.entries()) {
    const bound = boundOf(layout, values);
    if (bound > RECORD_BYTES && recordBytes(layout, values, RECORD_BYTES) > RECORD_BYTES)
      throw tooLarge(indexOfRow(index));
    total += bound;
  }
  if (total <= BATCH_BYTES) return;
  let remaining = BATCH_BYTES;
  for (const values of records) {
    remaining -= recordBytes(layout, values, remaining);
    if (remaining < 0) throw batchTooLarge();
  }
}

export function checkRecordSize(layout: Layout, values: WrittenValues, path: string): void {
  if (boundOf(layout, values) > RECORD_BYTES && recordBytes(layout, values, RECORD_BYTES) > RECORD_BYTES)
    throw tooLarge(path);
}

/** The bytes of the compact JSON of the fields. The count stops once it is over `limit`. */
export function recordBytes(layout: Layout, values: WrittenValues, limit = Infinity): number {
  let bytes = 2;
  for (const column of layout.columns) {
    const value = values[column.sql];
    if (value === undefined) continue;
    bytes += nameBytes(column) + jsonBytes(value, limit - bytes) + (bytes > 2 ? 1 : 0);
    if (bytes > limit) break;
  }
  return bytes;
}

/** Estimates the bytes of records before they are written, close to what the database will count. */
export function storedBytes(layout: Layout, records: readonly WrittenValues[]): number {
  let bytes = 0;
  for (const values of records) {
    for (const column of layout.columns) {
      const value = values[column.sql];
      if (value === undefined || value === null) continue;
      if (typeof value === 'object') bytes += jsonBytes(value);
      else bytes += isText(column) ? Buffer.byteLength(value as string) : BYTES_OF_FIXED;
    }
  }
  return bytes;
}

const isText = ({ type }: Column): boolean => type === 'string' || type === 'text';

/** At least as many bytes as the JSON has, from the lengths of the texts. */
function boundOf(layout: Layout, values: WrittenValues): number {
  let bytes = 2;
  for (const column of layout.columns) {
    const value = values[column.sql];
    if (value === undefined) continue;
    bytes += nameBytes(column) + 1 + valueBound(value);
  }
  return bytes;
}

function valueBound(value: unknown): number {
  if (typeof value === 'string') return value.length * BYTES_OF_CHARACTER + 2;
  if (typeof value !== 'object' || value === null) return BYTES_OF_NUMBER;
  return jsonBytes(value, RECORD_BYTES);
}

/** Names are letters, digits and underscores. */
const nameBytes = (column: Column): number => column.name.length + 3;

const tooLarge = (path: string): AppError =>
  invalid(path, `must be at most ${RECORD_BYTES} bytes of JSON, with the defaults of its fields`);

/** Existing values count too, so the size is known after the write, which is then rolled back. */
export const grownTooLarge = (path: string): AppError =>
  invalid(path, `a record would be larger than ${RECORD_BYTES} bytes after this change`);

/** How many records an update with these values may change; null where it does not matter. */
export function mostUpdated(layout: Layout, values: WrittenValues): number | null {
  const bytes = storedBytes(layout, [values]);
  return bytes <= SMALL_UPDATE ? null : Math.floor(UPDATE_BYTES / bytes);
}

export const updateTooLarge = (most: number): AppError =>
  new AppError(
    'PAYLOAD_TOO_LARGE',
    `With values of this size one update may change ${most} records (${UPDATE_BYTES} bytes in all). Narrow the filter and update in parts.`,
  );

const batchTooLarge = (): AppError =>
  new AppError(
    'PAYLOAD_TOO_LARGE',
    `The records together are more than ${BATCH_BYTES} bytes of JSON with the defaults of their fields. Send fewer of them at a time.`,
  );
