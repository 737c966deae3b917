import { carried, MOST_BYTES } from '../../domain/carried';
import type { Column, Layout } from '../../domain/layout';
import { isLongText } from '../../domain/sort';
import type { SqlRow } from './read-sql';

/** How much a value of any length takes. For texts Postgres knows without reading them. */
function sizeSql(column: Column): string | null {
  if (isLongText(column)) return `octet_length(r.${column.sql})`;
  return column.type === 'json' || column.type === 'string[]' ? `octet_length(r.${column.sql}::text)` : null;
}

/** A short page of records that were never seen to be large is fetched as it is: planning the sum costs a tenth of a millisecond. */
const SHORT_PAGE = 101;
const LARGE_PAGE = MOST_BYTES / 4;

/**
 * The rows of `from`, in its order, up to what one answer can carry: the rest stays in the database, however large it
 * is. `more` says that rows follow; of a page that was not cut, the last row does not say it.
 */
export function boundedSql(
  layout: Layout,
  columns: string,
  from: string,
  order: string,
  limit: number,
  mostBytes = MOST_BYTES,
): string {
  const sizes = layout.columns.flatMap((column) => {
    const size = sizeSql(column);
    return size === null ? [] : [`coalesce(${size}, 0)`];
  });
  const isSmall = sizes.length === 0 || (limit <= SHORT_PAGE && !layout.hasLargeRecords);
  if (isSmall) return `select ${columns} from ${from}`;
  return `select ${columns}, r.more from (
      select r.*, lead(r.id) over w is not null as more, coalesce(sum(${sizes.join(' + ')}) over w, 0) as before
      from (select r.* from ${from}) r window w as (order by ${order} rows between unbounded preceding and 1 preceding)
    ) r where r.before <= ${mostBytes} order by ${order}`;
}

export const isCut = (rows: readonly SqlRow[]): boolean => rows.at(-1)?.['more'] === true;

/** The first records of a page that fit into one answer. That they are large is remembered for the next page. */
export function fitting(layout: Layout, records: Record<string, unknown>[]): Record<string, unknown>[] {
  const { shown, length } = carried(records);
  if (length > LARGE_PAGE) layout.hasLargeRecords = true;
  return shown;
}
