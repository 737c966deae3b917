import type { Column } from '../../domain/layout';

const FIXED_BYTES = 8;

/**
 * What the values of a row count for in the bytes of its Space. The length of a text is read without the text, also
 * where it lies outside of the row. Of one row the answer is the same whenever it is asked: what an insert adds, a
 * delete takes away.
 */
export function storedBytesSql(columns: readonly Column[], sqlOf: (column: Column) => string): string {
  const parts = columns.map((column) => bytesOf(column, sqlOf(column)));
  return `(${['0', ...parts].join(' + ')})`;
}

function bytesOf({ type }: Column, sql: string): string {
  if (type === 'string' || type === 'text') return `coalesce(octet_length(${sql}), 0)`;
  if (type === 'json' || type === 'string[]') return `coalesce(octet_length(${sql}::text), 0)`;
  return `case when ${sql} is null then 0 else ${FIXED_BYTES} end`;
}
