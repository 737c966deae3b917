import { MAX_BYTES } from '../../domain/limit-page-bytes';
import type { Column, Layout } from '../../domain/table-layout';
import { isLongText } from '../../domain/sort-order';
import { isSelected, type SqlRow } from './select-records-sql';

/** How a statement keeps the bytes of its answer bounded. */
export interface PageBound {
  /** The bytes of a row in the columns that are read; null if they are short in any row. */
  size: string | null;
  /**
   * If no record of the dataset is larger than this, the statement reads its rows as they are; null: it adds up their
   * bytes.
   */
  recordBytes: number | null;
}

/** How much a value of any length takes. For texts Postgres knows without reading them. */
function sizeSql(column: Column): string | null {
  if (isLongText(column)) return `octet_length(r.${column.sql})`;
  return column.type === 'json' || column.type === 'string[]' ? `octet_length(r.${column.sql}::text)` : null;
}

/**
 * If so many of the largest records that the dataset was seen with fit into one answer, they are read as they are: to
 * plan the sum takes a tenth of a millisecond. `guardSql` holds the statement to that.
 */
export function boundOf(layout: Layout, fields: ReadonlySet<string> | null, rows: number): PageBound {
  const sizes = layout.columns.flatMap((column) => {
    const size = isSelected(column, fields) ? sizeSql(column) : null;
    return size === null ? [] : [`coalesce(${size}, 0)`];
  });
  if (sizes.length === 0) return { size: null, recordBytes: null };
  const isLight = rows * layout.largestRecord <= MAX_BYTES;
  return { size: sizes.join(' + '), recordBytes: isLight ? Math.floor(MAX_BYTES / rows) : null };
}

/**
 * $1 is the Space. If a larger record came meanwhile, the statement finds nothing, in the snapshot that has the record.
 */
export const guardSql = ({ datasetId }: Layout, { recordBytes }: PageBound): string[] =>
  recordBytes === null ? [] : [`largest_record($1, '${datasetId}'::uuid) <= ${recordBytes}`];

/**
 * The rows of `from`, in its order, up to what one answer can carry: the rest stays in the database, however large it
 * is. `more` says that rows follow; of a page that was not cut, the last row does not say it.
 */
export function boundedSql(
  { size, recordBytes }: PageBound,
  columns: string,
  from: string,
  order: string,
  mostBytes = MAX_BYTES,
): string {
  if (size === null || recordBytes !== null) return `select ${columns} from ${from}`;
  return `select ${columns}, r.more from (
      select r.*, lead(r.id) over w is not null as more, coalesce(sum(${size}) over w, 0) as before
      from (select r.* from ${from}) r window w as (order by ${order} rows between unbounded preceding and 1 preceding)
    ) r where r.before <= ${mostBytes} order by ${order}`;
}

export const isCut = (rows: readonly SqlRow[]): boolean => rows.at(-1)?.['more'] === true;
