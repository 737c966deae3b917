import { Fragment, type ReactNode, useState } from 'react';
import type { DatasetField } from '@switchyard/client';
import { ArrowDown, ArrowUp } from 'lucide-react';
import type { List } from '../../api/use-list';
import { useStable } from '../../api/use-stable';
import { classes } from '../../ui/class-names';
import { Gap, ListEnd, ListStale } from '../../ui/list-end';
import { ErrorState, Loading } from '../../ui/states';
import { useMedia } from '../../ui/use-media';
import { useVirtualRows } from '../../ui/use-virtual-rows';
import type { Row, Sort } from './record-search';
import { GridRow, type RowActions } from './grid-row';
import { isNumeric } from './values';

interface Props {
  name: string;
  fields: readonly DatasetField[];
  list: List<Row>;
  hasScores: boolean;
  mayWrite: boolean;
  sort: Sort | null;
  /** Null where the order is that of the scores. */
  onSort: ((sort: Sort | null) => void) | null;
  chosen: ReadonlySet<string>;
  onChoose: (chosen: ReadonlySet<string>) => void;
  onDelete: (id: string) => void;
  onSave: (row: Row, field: DatasetField, value: unknown) => Promise<void>;
  empty: ReactNode;
}

const ROW_HEIGHT = 41;
const OVERSCAN = 20;
/** In rem, beside the grid; the navigation stands beside the page on a wide screen. */
const PAGE_MARGINS = 2;
const NAVIGATION = 15.5;
const keyOf = ({ record }: Row): string => record.id;
const indexOfRow = (rows: readonly Row[], id: string): number | null => {
  const index = rows.findIndex((row) => keyOf(row) === id);
  return index === -1 ? null : index;
};
const HEAD = 'border-b border-line bg-surface px-3 py-2 text-left text-xs font-medium text-faint';
const MOVES: Record<string, readonly [number, number]> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};
/** Columns of short values leave their width to texts. */
const SHORT_FIELD = '9rem';
const isShort = (field: DatasetField): boolean => isNumeric(field) || field.type === 'boolean';
const isSortable = ({ type }: DatasetField): boolean => type !== 'json' && type !== 'string[]';

/** Records by their fields. Arrows go from cell to cell; Enter or a double click edits. */
export function Grid(props: Props): ReactNode {
  const { name, fields, list, hasScores, mayWrite, sort, onSort, chosen, onChoose, onDelete, onSave, empty } = props;
  const [at, setAt] = useState<readonly [number, number]>([0, 0]);
  const [editing, setEditing] = useState<{ id: string; column: number } | null>(null);
  const { rows, hasMore } = list;
  const width = fields.length * 9 + (mayWrite ? 5.5 : 0) + (hasScores ? 6 : 0) + 7;
  const [tight, tightWithNavigation] = [width + PAGE_MARGINS, width + PAGE_MARGINS + NAVIGATION];
  const isTight = useMedia(`(width < ${tight}rem), (width >= 64rem) and (width < ${tightWithNavigation}rem)`);
  const { container, virtual, items, below } = useVirtualRows(list, {
    rowHeight: ROW_HEIGHT,
    keyOf,
    ahead: OVERSCAN,
    kept: editing === null ? null : indexOfRow(rows, editing.id),
  });

  const cellAt = (row: number, column: number): HTMLElement | null | undefined =>
    container.current?.querySelector<HTMLElement>(`[data-cell="${row}-${column}"]`);
  const focusCell = (row: number, column: number): void => {
    requestAnimationFrame(() => cellAt(row, column)?.focus({ preventScroll: false }));
  };
  const go = (row: number, column: number): void => {
    const to = [Math.max(0, Math.min(rows.length - 1, row)), Math.max(0, Math.min(fields.length - 1, column))] as const;
    setAt(to);
    virtual.scrollToIndex(to[0]);
    // At once where it is drawn: the next key may come before the next frame.
    const cell = cellAt(...to);
    if (cell) cell.focus();
    else focusCell(...to);
  };
  const edit = (id: string, column: number): void => {
    if (mayWrite) setEditing({ id, column });
  };
  const actions = useStable<RowActions>({
    toggle: (id) => {
      const next = new Set(chosen);
      if (!next.delete(id)) next.add(id);
      onChoose(next);
    },
    remove: onDelete,
    save: onSave,
    enterCell: (row, column) => setAt([row, column]),
    edit,
    endEdit: (id, row, column, byKey) => {
      setEditing((now) => (now?.id === id && now.column === column ? null : now));
      if (byKey) focusCell(row, column);
    },
    press: (event, id, row, column) => {
      const move = MOVES[event.key];
      const isEdit = mayWrite && (event.key === 'Enter' || event.key === 'F2');
      if (!move && !isEdit) return;
      event.preventDefault();
      if (move) go(row + move[0], column + move[1]);
      else edit(id, column);
    },
  });

  if (list.error && rows.length === 0) return <ErrorState error={list.error} onRetry={list.retry} />;
  if (list.isLoading) return <Loading label={`Loading ${name}`} lines={8} />;
  if (rows.length === 0) return empty;

  // Tab reaches the grid wherever it is scrolled to: where the cell that was left is not drawn, by the first row in view.
  const tabRow = items.some(({ index }) => index === at[0]) ? at[0] : (virtual.range?.startIndex ?? 0);
  return (
    <>
      <ListStale list={list} />
      {isTight && (
        <p className="mb-2 text-sm text-faint">Scroll the table sideways to see all {fields.length} fields.</p>
      )}
      <div
        ref={container}
        tabIndex={0}
        role="group"
        aria-label={`${name}, scrollable`}
        className="card overflow-auto [overflow-anchor:none] outline-offset-[-2px]"
        style={{ maxHeight: 'max(20rem, calc(100dvh - 19rem))' }}
      >
        <table
          role="table"
          aria-label={name}
          aria-rowcount={hasMore ? -1 : rows.length}
          className="w-full table-fixed border-collapse"
          style={{ minWidth: `${width}rem` }}
        >
          <thead className="sticky top-0 z-10">
            <tr>
              {mayWrite && (
                <th scope="col" className={HEAD} style={{ width: '2.75rem' }}>
                  <span className="sr-only">Selected</span>
                </th>
              )}
              {hasScores && (
                <th scope="col" className={classes(HEAD, 'text-right')} style={{ width: '6rem' }}>
                  Score
                </th>
              )}
              {fields.map((field) => (
                <th
                  key={field.name}
                  scope="col"
                  aria-sort={sort?.field === field.name ? (sort.isDown ? 'descending' : 'ascending') : undefined}
                  className={HEAD}
                  style={isShort(field) ? { width: SHORT_FIELD } : undefined}
                >
                  <FieldHead field={field} sort={sort} onSort={isSortable(field) ? onSort : null} />
                </th>
              ))}
              <th scope="col" className={classes(HEAD, 'text-right')} style={{ width: '7rem' }}>
                Created
              </th>
              {mayWrite && (
                <th scope="col" className={HEAD} style={{ width: '2.75rem' }}>
                  <span className="sr-only">Actions</span>
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {items.map(({ index, key, gap }) => {
              const row = rows[index];
              if (row === undefined) return null;
              return (
                <Fragment key={key}>
                  <Gap height={gap} />
                  <GridRow
                    row={row}
                    index={index}
                    fields={fields}
                    hasScores={hasScores}
                    mayWrite={mayWrite}
                    isChosen={chosen.has(row.record.id)}
                    tabColumn={tabRow === index ? at[1] : null}
                    editedColumn={editing?.id === row.record.id ? editing.column : null}
                    actions={actions}
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
    </>
  );
}

function FieldHead({
  field,
  sort,
  onSort,
}: {
  field: DatasetField;
  sort: Sort | null;
  onSort: ((sort: Sort | null) => void) | null;
}): ReactNode {
  const type = <span className="font-mono font-normal">{field.type}</span>;
  const title = <span className="truncate text-ink">{field.name}</span>;
  if (onSort === null)
    return (
      <span className={classes('flex min-w-0 gap-1.5', isNumeric(field) && 'justify-end')}>
        {title} {type}
      </span>
    );
  const isHere = sort?.field === field.name;
  const next = isHere
    ? sort.isDown
      ? null
      : { field: field.name, isDown: true }
    : { field: field.name, isDown: false };
  const Arrow = isHere && sort.isDown ? ArrowDown : ArrowUp;
  return (
    <button
      type="button"
      title="Sort"
      className={classes(
        'flex max-w-full min-w-0 items-center gap-1.5 rounded hover:text-ink',
        isNumeric(field) && 'ml-auto',
      )}
      onClick={() => onSort(next)}
    >
      {title} {type}
      {isHere && <Arrow className="size-3.5 shrink-0" aria-hidden="true" />}
    </button>
  );
}
