import type { Column, Layout } from '../../domain/table-layout';
import { GIVEN_COLUMNS } from '../../domain/table-layout';
import { fromSql, selected } from './column-types-sql';

export type SqlRow = Record<string, unknown>;

/** The columns of a record, under their physical names. */
export function selectSql(layout: Layout, requested: ReadonlySet<string> | null): string {
  const columns = [...GIVEN_COLUMNS, ...layout.columns].filter((column) => isSelected(column, requested));
  const parts = columns.map((column) => `${selected(`r.${column.sql}`, column.type)} as ${aliasOf(column)}`);
  if (columns.some((column) => column.canLack)) parts.push('r.nulls as z');
  return parts.join(', ');
}

export const isSelected = (column: Column, requested: ReadonlySet<string> | null): boolean =>
  requested === null || column.name === 'id' || requested.has(column.name);

const aliasOf = (column: Column): string =>
  column.name === 'createdAt' ? 'a' : column.name === 'updatedAt' ? 'u' : column.sql;

/** Turns rows of `selectSql` into records: a field that was never set is missing, one that was set to null is null. */
export function recordReader(
  layout: Layout,
  requested: ReadonlySet<string> | null,
): (row: SqlRow) => Record<string, unknown> {
  const columns = layout.columns.filter((column) => isSelected(column, requested));
  const withCreated = requested === null || requested.has('createdAt');
  const withUpdated = requested === null || requested.has('updatedAt');
  return (row) => {
    const record: Record<string, unknown> = { id: row['id'] };
    const nulls = row['z'] as number[] | null | undefined;
    for (const column of columns) {
      const value = row[column.sql];
      if (value !== null) record[column.name] = fromSql(column.type, value);
      else if (nulls?.includes(column.number) === true) record[column.name] = null;
    }
    if (withCreated) record['createdAt'] = fromSql('datetime', row['a']);
    if (withUpdated) record['updatedAt'] = fromSql('datetime', row['u']);
    return record;
  };
}
