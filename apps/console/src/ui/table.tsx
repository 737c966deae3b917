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
  /** In a block of cells a cell stands behind the name of its column; badges and buttons need none. */
  saysItself?: boolean;
  /** In a block of cells it has a line of its own. */
  isWide?: boolean;
}

interface Props<T> {
  /** The accessible name: the page's. */
  name: string;
  list: List<T>;
  columns: readonly Column<T>[];
  keyOf: (row: T) => string;
  empty: ReactNode;
  /** Its height on the page. */
  height?: string;
  isChosen?: (row: T) => boolean;
}

const ROW_HEIGHT = 45;
/** The least that a column without a width of its own has, in rem. */
const SHARED_WIDTH = 12;

/** The container that the box of a table with many columns is: in too narrow a one its rows become blocks. */
function roomFor(columns: readonly { width?: string }[]): string | false {
  const needed = columns.reduce((sum, { width }) => sum + (width === undefined ? SHARED_WIDTH : parseFloat(width)), 0);
  if (needed > 54) return '@container/spacious';
  return needed > 46 && '@container/roomy';
}

/**
 * Rows without end: only those in view are in the page. Where there is little room each row becomes a block of its
 * cells, so that nothing is cut off.
 */
export function Table<T extends object>({ name, list, columns, keyOf, empty, height, isChosen }: Props<T>): ReactNode {
  const { rows, hasMore } = list;
  const { container, virtual, items, below } = useVirtualRows(list, { rowHeight: ROW_HEIGHT, keyOf });
  if (list.error && rows.length === 0) return <ErrorState error={list.error} onRetry={list.retry} />;
  if (list.isLoading) return <Loading label={`Loading ${name}`} lines={8} />;
  if (rows.length === 0) return empty;
  const box = (
    <div
      ref={container}
      tabIndex={0}
      role="group"
      aria-label={`${name}, scrollable`}
      className={classes('card overflow-auto [overflow-anchor:none] outline-offset-[-2px]', roomFor(columns))}
      style={{ maxHeight: height ?? 'calc(100dvh - 12rem)' }}
    >
      <table
        role="table"
        aria-label={name}
        aria-rowcount={hasMore ? -1 : rows.length + 1}
        className="w-full table-fixed border-collapse stacked:block"
      >
        <thead role="rowgroup" className="sticky top-0 z-10 bg-surface stacked:sr-only">
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
        <tbody role="rowgroup" className="stacked:block">
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
        'group border-b border-line last:border-b-0 hover:bg-sunken stacked:flex stacked:flex-wrap stacked:items-center stacked:gap-x-3 stacked:gap-y-1 stacked:px-4 stacked:py-2.5',
        isChosen && 'bg-accent-soft',
      )}
    >
      {columns.map((column, index) => (
        <td
          key={column.name}
          role="cell"
          className={classes(
            'truncate px-3 py-2.5 align-middle first:pl-4 last:pr-4 stacked:whitespace-normal stacked:p-0 stacked:first:pl-0 stacked:empty:hidden',
            index === 0 ? 'stacked:basis-full stacked:wrap-anywhere' : 'stacked:text-sm',
            column.align === 'right' && 'text-right stacked:text-left',
            column.isWide === true && 'stacked:basis-full',
          )}
        >
          {index > 0 && column.saysItself !== true && (
            <span className="mr-1 hidden text-xs text-faint stacked:inline" aria-hidden="true">
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
