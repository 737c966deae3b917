import { Fragment, type ReactNode, memo } from 'react';
import type { List } from '../api/use-list';
import { classes } from './class-names';
import { Gap, ListEnd, ListStale } from './list-end';
import { ErrorState, Loading } from './states';
import { useVirtualRows } from './use-virtual-rows';

export interface Column<T> {
  name: string;
  cell: (row: T) => ReactNode;
  /** A width of CSS; the rest is shared. */
  width?: string;
  align?: 'right';
  /** On narrow screens a cell stands behind the name of its column; badges and buttons need none. */
  saysItself?: boolean;
}

interface Props<T> {
  /** The accessible name: the page's. */
  name: string;
  list: List<T>;
  columns: readonly Column<T>[];
  keyOf: (row: T) => string;
  empty: ReactNode;
  /** What it is high on the page. */
  height?: string;
  isChosen?: (row: T) => boolean;
}

const ROW_HEIGHT = 45;

/**
 * Rows without end: only those in view are in the page. On narrow screens each row becomes a block of its cells, so
 * that nothing is cut off.
 */
export function Table<T>({ name, list, columns, keyOf, empty, height, isChosen }: Props<T>): ReactNode {
  const { rows, hasMore } = list;
  const { place, virtual, items, below } = useVirtualRows(list, { rowHeight: ROW_HEIGHT, keyOf });
  if (list.error && rows.length === 0) return <ErrorState error={list.error} onRetry={list.retry} />;
  if (list.isLoading) return <Loading label={`Loading ${name}`} lines={8} />;
  if (rows.length === 0) return empty;
  const box = (
    <div
      ref={place}
      tabIndex={0}
      role="group"
      aria-label={`${name}, scrollable`}
      className="card overflow-auto outline-offset-[-2px]"
      style={{ maxHeight: height ?? 'calc(100dvh - 12rem)' }}
    >
      <table
        role="table"
        aria-label={name}
        aria-rowcount={hasMore ? -1 : rows.length + 1}
        className="w-full table-fixed border-collapse max-sm:block"
      >
        <thead role="rowgroup" className="sticky top-0 z-10 bg-surface max-sm:sr-only">
          <tr role="row" aria-rowindex={1}>
            {columns.map((column) => (
              <th
                key={column.name}
                role="columnheader"
                scope="col"
                style={{ width: column.width }}
                className={classes(
                  'border-b border-line px-3 py-2 text-xs font-medium text-faint first:pl-4 last:pr-4',
                  column.align === 'right' ? 'text-right' : 'text-left',
                )}
              >
                {column.name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup" className="max-sm:block">
          {items.map(({ index, key, gap }) => {
            const row = rows[index];
            if (row === undefined) return null;
            return (
              <Fragment key={key}>
                <Gap height={gap} />
                <MemoRow
                  row={row}
                  index={index}
                  columns={columns}
                  isChosen={isChosen?.(row) === true}
                  measure={virtual.measureElement}
                />
              </Fragment>
            );
          })}
          <Gap height={below} />
        </tbody>
      </table>
      <ListEnd list={list} />
    </div>
  );
  return (
    <>
      <ListStale list={list} />
      {box}
    </>
  );
}

interface RowProps<T> {
  row: T;
  index: number;
  columns: readonly Column<T>[];
  isChosen: boolean;
  measure: (element: HTMLTableRowElement | null) => void;
}

function Row<T>({ row, index, columns, isChosen, measure }: RowProps<T>): ReactNode {
  return (
    <tr
      role="row"
      ref={measure}
      data-index={index}
      aria-rowindex={index + 2}
      className={classes(
        'group border-b border-line last:border-b-0 hover:bg-sunken max-sm:flex max-sm:flex-wrap max-sm:items-center max-sm:gap-x-3 max-sm:gap-y-1 max-sm:px-4 max-sm:py-2.5',
        isChosen && 'bg-accent-soft',
      )}
    >
      {columns.map((column, place) => (
        <td
          key={column.name}
          role="cell"
          className={classes(
            'truncate px-3 py-2.5 align-middle first:pl-4 last:pr-4 max-sm:whitespace-normal max-sm:p-0 max-sm:first:pl-0',
            place === 0 ? 'max-sm:basis-full max-sm:wrap-anywhere' : 'max-sm:text-sm',
            column.align === 'right' && 'sm:text-right',
          )}
        >
          {place > 0 && column.saysItself !== true && (
            <span className="mr-1 text-xs text-faint sm:hidden" aria-hidden="true">
              {column.name}
            </span>
          )}
          {column.cell(row)}
        </td>
      ))}
    </tr>
  );
}

/** While the list is scrolled its page stands still: only rows that come are drawn. */
const MemoRow = memo(Row) as typeof Row;
