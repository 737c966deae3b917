import type { Column } from '../../domain/table-layout';

const FIXED_BYTES = 8;

/**
 * Bytes of a row's values, for the quota of its Space. The length of a text is read without loading it, also from
 * TOAST. The result for a row never changes, so a delete subtracts what its insert has added.
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
