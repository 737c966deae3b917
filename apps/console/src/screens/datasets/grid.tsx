import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { useVirtualizer } from '@tanstack/react-virtual';
import type { DatasetField } from '@switchyard/client';
import { ArrowDown, ArrowUp, Trash2 } from 'lucide-react';
import type { List } from '../../api/use-list';
import { Button } from '../../ui/button';
import { classes } from '../../ui/class-names';
import { ErrorState, Loading } from '../../ui/states';
import { Time } from '../../ui/time';
import { CellEditor } from './cell-editor';
import { CellValue } from './cell-value';
import { Excerpt } from './excerpt';
import type { Row, Sort } from './found';
import { createdAt, isNumeric } from './values';

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
const AHEAD = 20;
const HEAD = 'border-b border-line bg-surface px-3 py-2 text-left text-xs font-medium text-faint';
const MOVES: Record<string, readonly [number, number]> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};
const isSortable = ({ type }: DatasetField): boolean => type !== 'json' && type !== 'string[]';

/** Records by their fields. Arrows go from cell to cell; Enter or a double click edits. */
export function Grid(props: Props): ReactNode {
  const { name, fields, list, hasScores, mayWrite, sort, onSort, chosen, onChoose, onDelete, onSave, empty } = props;
  const place = useRef<HTMLDivElement>(null);
  const [at, setAt] = useState<readonly [number, number]>([0, 0]);
  const [editing, setEditing] = useState<string | null>(null);
  const { rows, hasMore, isLoadingMore, loadMore } = list;
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => place.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 12,
    getItemKey: (index) => rows[index]?.record.id ?? index,
  });
  const items = virtual.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (hasMore && !isLoadingMore && last >= rows.length - AHEAD) loadMore();
  }, [hasMore, isLoadingMore, last, rows.length, loadMore]);

  if (list.error && rows.length === 0) return <ErrorState error={list.error} onRetry={list.retry} />;
  if (list.isLoading) return <Loading label={`Loading ${name}`} lines={8} />;
  if (rows.length === 0) return empty;

  const cellAt = (row: number, column: number): HTMLElement | null | undefined =>
    place.current?.querySelector<HTMLElement>(`[data-cell="${row}-${column}"]`);
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
  const onKey = (event: KeyboardEvent, row: number, column: number, key: string): void => {
    const move = MOVES[event.key];
    if (move) {
      event.preventDefault();
      go(row + move[0], column + move[1]);
    } else if (mayWrite && (event.key === 'Enter' || event.key === 'F2')) {
      event.preventDefault();
      setEditing(key);
    }
  };
  const toggle = (id: string): void => {
    const next = new Set(chosen);
    if (!next.delete(id)) next.add(id);
    onChoose(next);
  };
  const above = items[0]?.start ?? 0;
  const below = virtual.getTotalSize() - (items.at(-1)?.end ?? 0);
  const width = fields.length * 9 + (mayWrite ? 5.5 : 0) + (hasScores ? 6 : 0) + 7;
  return (
    <div
      ref={place}
      tabIndex={0}
      role="group"
      aria-label={`${name}, scrollable`}
      className="card overflow-auto outline-offset-[-2px]"
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
                <span className="sr-only">Chosen</span>
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
              >
                <FieldHead field={field} sort={sort} onSort={isSortable(field) ? onSort : null} />
              </th>
            ))}
            <th scope="col" className={classes(HEAD, 'text-right')} style={{ width: '7rem' }}>
              Made
            </th>
            {mayWrite && (
              <th scope="col" className={HEAD} style={{ width: '2.75rem' }}>
                <span className="sr-only">Actions</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {above > 0 && <Gap height={above} />}
          {items.map(({ index }) => {
            const row = rows[index];
            if (row === undefined) return null;
            const { record } = row;
            return (
              <tr
                key={record.id}
                ref={virtual.measureElement}
                data-index={index}
                aria-rowindex={index + 1}
                className={classes(
                  'group border-b border-line last:border-b-0 hover:bg-sunken',
                  chosen.has(record.id) && 'bg-accent-soft',
                )}
              >
                {mayWrite && (
                  <td className="px-3 align-middle">
                    <input
                      type="checkbox"
                      className="size-4 align-middle accent-(--accent)"
                      aria-label={`Choose row ${index + 1}`}
                      checked={chosen.has(record.id)}
                      onChange={() => toggle(record.id)}
                    />
                  </td>
                )}
                {hasScores && (
                  <td className="px-3 py-2 text-right font-mono text-xs tabular-nums">{row.score?.toFixed(4)}</td>
                )}
                {fields.map((field, column) => {
                  const key = `${record.id} ${field.name}`;
                  const excerpt = row.highlight?.[field.name];
                  const isEditing = editing === key;
                  return (
                    <td
                      key={field.name}
                      data-cell={`${index}-${column}`}
                      tabIndex={at[0] === index && at[1] === column ? 0 : -1}
                      onFocus={() => setAt([index, column])}
                      onDoubleClick={() => mayWrite && setEditing(key)}
                      onKeyDown={(event) => onKey(event, index, column, key)}
                      className={classes(
                        'px-3 py-2 align-middle outline-offset-[-2px]',
                        !isEditing && 'truncate',
                        isNumeric(field) && 'text-right tabular-nums',
                      )}
                    >
                      {isEditing ? (
                        <CellEditor
                          field={field}
                          value={record[field.name]}
                          onSave={(value) => onSave(row, field, value)}
                          onEnd={(byKey) => {
                            setEditing((now) => (now === key ? null : now));
                            if (byKey) focusCell(index, column);
                          }}
                        />
                      ) : excerpt === undefined ? (
                        <CellValue field={field} value={record[field.name]} />
                      ) : (
                        <Excerpt of={excerpt} />
                      )}
                    </td>
                  );
                })}
                <td className="px-3 py-2 text-right text-soft">
                  <Time at={createdAt(record)} />
                </td>
                {mayWrite && (
                  <td className="px-1 align-middle">
                    <Button
                      look="ghost"
                      size="small"
                      aria-label={`Delete row ${index + 1}`}
                      icon={<Trash2 className="size-4" aria-hidden="true" />}
                      onClick={() => onDelete(record.id)}
                    />
                  </td>
                )}
              </tr>
            );
          })}
          {below > 0 && <Gap height={below} />}
        </tbody>
      </table>
      {isLoadingMore && <Loading label="Loading more" lines={2} />}
    </div>
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

const Gap = ({ height }: { height: number }): ReactNode => <tr aria-hidden="true" style={{ height }} />;
