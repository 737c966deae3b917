import { AppError, invalid, isPlainObject } from '@switchyard/kernel';
import type { DatasetField } from '@switchyard/contracts';
import { type Column, GIVEN_COLUMNS, type Layout } from './table-layout';
import { readField } from './parse-field-value';

/** A record on its way in, by column; null where the caller said null, absent where nothing was said. */
export type WrittenValues = Record<string, unknown>;

const GIVEN = new Set(GIVEN_COLUMNS.map((column) => column.name));

/** Checks records against the schema and refuses the first bad one by its place: `records[3].price`. */
export const readRecords = (layout: Layout, records: readonly unknown[]): WrittenValues[] =>
  records.map((record, index) => readRecord(layout, record, () => `records[${index}]`));

export function readRecord(layout: Layout, record: unknown, path: () => string): WrittenValues {
  if (!isPlainObject(record)) throw invalid(path(), 'must be an object');
  const values = readValues(layout, record, path);
  for (const column of layout.columns) {
    if (!column.canLack && values[column.sql] === undefined && !hasDefault(column.field.default)) {
      throw invalid(`${path()}.${column.name}`, 'is required');
    }
  }
  return values;
}

/** Checks the fields that are there, as for an update. */
export function readValues(layout: Layout, record: Record<string, unknown>, path: () => string): WrittenValues {
  const values: WrittenValues = {};
  for (const name of Object.keys(record)) {
    const column = layout.byName.get(name);
    if (column === undefined) {
      throw invalid(
        `${path()}.${name}`,
        'there is no field of this name in the dataset; names are exact, also in their case',
      );
    }
    if (GIVEN.has(name)) throw invalid(`${path()}.${name}`, 'is set by the platform');
    const value = record[name];
    if (value === null || value === undefined) {
      if (!column.canLack) throw invalid(`${path()}.${name}`, 'is required and cannot be null');
      values[column.sql] = null;
      continue;
    }
    const read = readOrNameIt(
      () => readField(column.field, value),
      () => `${path()}.${name}`,
    );
    if ('problem' in read) throw invalid(`${path()}.${name}`, read.problem);
    values[column.sql] = read.value;
  }
  return values;
}

/** Names the place of what a check refuses. */
export function readOrNameIt<T>(read: () => T, path: () => string): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof AppError && error.code === 'VALIDATION_ERROR') throw invalid(path(), error.message);
    throw error;
  }
}

const hasDefault = (value: unknown): boolean => value !== undefined && value !== null;

/** Fills in what the caller left out, by null where that is the default. An explicit null stays null. */
export const withDefaults = (layout: Layout, values: WrittenValues): WrittenValues =>
  withDefaultsOf(layout.columns, values);

export function withDefaultsOf(columns: readonly Column[], values: WrittenValues): WrittenValues {
  let filled = values;
  for (const column of columns) {
    if (values[column.sql] !== undefined) continue;
    const read = readDefault(column);
    if (read === undefined) continue;
    if (filled === values) filled = { ...values };
    filled[column.sql] = read;
  }
  return filled;
}

const defaults = new WeakMap<DatasetField, { value: unknown }>();

/** Read once for all records of a layout. */
function readDefault({ field, canLack }: Column): unknown {
  if (field.default === null) return canLack ? null : undefined;
  if (field.default === undefined) return undefined;
  const cached = defaults.get(field);
  if (cached) return cached.value;
  const read = readField(field, field.default);
  const value = 'value' in read ? read.value : undefined;
  defaults.set(field, { value });
  return value;
}
