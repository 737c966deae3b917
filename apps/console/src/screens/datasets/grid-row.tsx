import { type KeyboardEvent, type ReactNode, memo } from 'react';
import type { DatasetField } from '@switchyard/client';
import { Trash2 } from 'lucide-react';
import { Button } from '../../ui/button';
import { classes } from '../../ui/class-names';
import { Time } from '../../ui/time';
import { CellEditor } from './cell-editor';
import { CellValue } from './cell-value';
import { Excerpt } from './excerpt';
import type { Row } from './record-search';
import { createdAt, isNumeric } from './values';

/** Callbacks of a row, stable while the grid scrolls. */
export interface RowActions {
  toggle: (id: string) => void;
  remove: (id: string) => void;
  save: (row: Row, field: DatasetField, value: unknown) => Promise<void>;
  enterCell: (index: number, column: number) => void;
  edit: (id: string, column: number) => void;
  endEdit: (id: string, index: number, column: number, byKey: boolean) => void;
  press: (event: KeyboardEvent, id: string, index: number, column: number) => void;
}

interface Props {
  row: Row;
  index: number;
  fields: readonly DatasetField[];
  hasScores: boolean;
  mayWrite: boolean;
  isChosen: boolean;
  /** The column whose cell Tab reaches, and the one that is edited, if they are in this row. */
  tabColumn: number | null;
  editedColumn: number | null;
  actions: RowActions;
  measure: (element: HTMLTableRowElement | null) => void;
}

function RowOfGrid(props: Props): ReactNode {
  const { row, index, fields, hasScores, mayWrite, isChosen, tabColumn, editedColumn, actions, measure } = props;
  const { record } = row;
  return (
    <tr
      ref={measure}
      data-index={index}
      aria-rowindex={index + 1}
      className={classes('group border-b border-line last:border-b-0 hover:bg-sunken', isChosen && 'bg-accent-soft')}
    >
      {mayWrite && (
        <td className="px-3 align-middle">
          <input
            type="checkbox"
            className="size-4 align-middle accent-(--accent)"
            aria-label={`Select row ${index + 1}`}
            checked={isChosen}
            onChange={() => actions.toggle(record.id)}
          />
        </td>
      )}
      {hasScores && <td className="px-3 py-2 text-right font-mono text-xs tabular-nums">{row.score?.toFixed(4)}</td>}
      {fields.map((field, column) => (
        <td
          key={field.name}
          data-cell={`${index}-${column}`}
          tabIndex={tabColumn === column ? 0 : -1}
          onFocus={() => actions.enterCell(index, column)}
          onDoubleClick={() => actions.edit(record.id, column)}
          onKeyDown={(event) => actions.press(event, record.id, index, column)}
          className={classes(
            'px-3 py-2 align-middle outline-offset-[-2px]',
            editedColumn !== column && 'truncate',
            isNumeric(field) && 'text-right tabular-nums',
          )}
        >
          {editedColumn === column ? (
            <CellEditor
              field={field}
              value={record[field.name]}
              onSave={(value) => actions.save(row, field, value)}
              onEnd={(byKey) => actions.endEdit(record.id, index, column, byKey)}
            />
          ) : (
            <Shown row={row} field={field} />
          )}
        </td>
      ))}
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
            onClick={() => actions.remove(record.id)}
          />
        </td>
      )}
    </tr>
  );
}

function Shown({ row, field }: { row: Row; field: DatasetField }): ReactNode {
  const excerpt = row.highlight?.[field.name];
  return excerpt === undefined ? <CellValue field={field} value={row.record[field.name]} /> : <Excerpt of={excerpt} />;
}

/** While the grid is scrolled, rows that stay in view are not drawn again. */
export const GridRow = memo(RowOfGrid);
