import type { DatasetField, SearchLanguage } from '@switchyard/contracts';
import type { FilterFieldType } from '@switchyard/kernel';

/** A field with the number of its physical column; numbers are given once and never again. */
export interface StoredField extends DatasetField {
  column: number;
}

export interface StoredSchema {
  fields: StoredField[];
  /** English where none was given. */
  language?: SearchLanguage;
}

/** One column of a dataset's table. `sql` is made by us, so no text of a user is ever an identifier. */
export interface Column {
  name: string;
  sql: string;
  number: number;
  type: FilterFieldType;
  field: DatasetField;
  /** Whether some record may lack it. */
  canLack: boolean;
}

/** How the records of one dataset lie in the database. */
export interface Layout {
  datasetId: string;
  version: number;
  table: string;
  language: SearchLanguage;
  columns: Column[];
  byName: ReadonlyMap<string, Column>;
  /** Fields that filters may use: the declared ones and the three that every record has. */
  types: ReadonlyMap<string, FilterFieldType>;
  fullText: Column[];
  vector: Column[];
  /** No record was larger when the dataset was last read. Infinite if that is not known. */
  largestRecord: number;
  /** A large import has been written into it: its table may have rows that are no records yet. */
  hasPieces: boolean;
}

/**
 * Keys of several unique fields have no order that all writers could keep, and Postgres finds a deadlock only after a
 * second: where there are such, inserts of many records take turns. Imports do not; they write for too long.
 */
export const takesTurns = (layout: Layout, records: number): boolean =>
  records > 1 && layout.columns.filter(({ field }) => field.unique === true).length > 1;

export const tableOf = (datasetId: string): string => `ds_${datasetId.replaceAll('-', '')}`;

const given = (name: string, sql: string, type: FilterFieldType): Column => ({
  name,
  sql,
  number: 0,
  type,
  field: { name, type, required: true },
  canLack: false,
});

export const GIVEN_COLUMNS: readonly Column[] = [
  given('id', 'id', 'uuid'),
  given('createdAt', 'created_at', 'datetime'),
  given('updatedAt', 'updated_at', 'datetime'),
];

export function layoutOf(datasetId: string, version: number, schema: StoredSchema, hasPieces = false): Layout {
  const columns = schema.fields.map((field) => ({
    name: field.name,
    sql: `c${field.column}`,
    number: field.column,
    type: field.type,
    field,
    canLack: field.required !== true,
  }));
  const all = [...GIVEN_COLUMNS, ...columns];
  return {
    datasetId,
    version,
    table: tableOf(datasetId),
    language: schema.language ?? 'english',
    columns,
    byName: new Map(all.map((column) => [column.name, column])),
    types: new Map(all.map((column) => [column.name, column.type])),
    fullText: columns.filter((column) => column.field.fullText === true),
    vector: columns.filter((column) => column.field.vector === true),
    largestRecord: Infinity,
    hasPieces,
  };
}
