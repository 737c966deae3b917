import { type ReactNode, useState } from 'react';
import { Plus, Trash2 } from 'lucide-react';
import { Button } from '../../ui/button';
import { problemOf, problemsOf } from '../../ui/errors';
import { Json, JsonField } from '../../ui/json';
import { RowFieldView } from './row-field';
import { NEW_ROWS, ROW_FIELDS, type Row, type StructureField, rowsIn, textOfRows, withField } from './structure-rows';

interface Props {
  field: StructureField;
  label: string;
  /** One row of it: "rule". */
  noun: string;
  hint: string;
  /** JSON. */
  text: string;
  onChange: (text: string) => void;
  error: Error | null;
  isInvalidJson: boolean;
  isReadOnly: boolean;
  children?: ReactNode;
}

/** One structure of an agent: its rows as forms, or all of it as JSON. Both edit the same text. */
export function StructureSection(props: Props): ReactNode {
  const { field, label, noun, hint, text, onChange, error, isInvalidJson, isReadOnly, children } = props;
  const rows = rowsIn(text);
  const fields = ROW_FIELDS[field];
  const [asJson, setAsJson] = useState(fields === undefined);
  const isForm = !asJson && rows !== null && fields !== undefined;
  const hasProblem = problemOf(error, field) !== undefined;
  const count = rows?.length ?? (text.trim() === 'null' ? 0 : 1);
  const change = (at: number, name: string, value: unknown): void =>
    onChange(textOfRows((rows ?? []).map((row, index) => (index === at ? withField(row, name, value) : row))));
  return (
    <details className="rounded-lg border border-line" open={hasProblem || undefined}>
      <summary className="px-3 py-2 font-medium">
        {label} {count > 0 && fields !== undefined && <span className="text-sm text-faint">({count})</span>}
      </summary>
      <div className="grid gap-3 border-t border-line p-3">
        {isForm ? (
          <>
            <p className="text-sm text-faint">{hint}</p>
            {rows.map((row, at) => (
              <RowForm
                key={at}
                title={`${noun} ${at + 1}`}
                row={row}
                onChange={(name, value) => change(at, name, value)}
                onRemove={() => onChange(textOfRows(rows.filter((_, index) => index !== at)))}
                problem={(name) => problemOf(error, `${field}[${at}].${name}`)}
                fields={fields}
                isReadOnly={isReadOnly}
              />
            ))}
            {problemsOf(error, field) !== undefined && (
              <p className="text-sm break-words text-bad">{problemsOf(error, field)}</p>
            )}
          </>
        ) : isReadOnly ? (
          <Json label={label} value={JSON.parse(text) as unknown} />
        ) : (
          <JsonField
            label={label}
            value={text}
            onChange={onChange}
            hint={hint}
            problem={isInvalidJson ? 'Invalid JSON.' : problemsOf(error, field)}
          />
        )}
        <div className="flex flex-wrap gap-2">
          {isForm && !isReadOnly && (
            <Button
              size="small"
              icon={<Plus className="size-4" aria-hidden="true" />}
              onClick={() => onChange(textOfRows([...rows, NEW_ROWS[field] ?? {}]))}
            >
              Add {noun}
            </Button>
          )}
          {fields !== undefined && (
            <Button
              size="small"
              look="ghost"
              aria-label={asJson ? `Edit ${label} in the form` : `Edit ${label} as JSON`}
              disabled={asJson && rows === null}
              onClick={() => setAsJson(!asJson)}
            >
              {asJson ? 'Form' : 'JSON'}
            </Button>
          )}
        </div>
        {children}
      </div>
    </details>
  );
}

interface RowProps {
  title: string;
  row: Row;
  fields: NonNullable<(typeof ROW_FIELDS)[StructureField]>;
  onChange: (name: string, value: unknown) => void;
  onRemove: () => void;
  problem: (name: string) => string | undefined;
  isReadOnly: boolean;
}

const RowForm = ({ title, row, fields, onChange, onRemove, problem, isReadOnly }: RowProps): ReactNode => (
  <fieldset className="rounded-lg border border-line p-3">
    <legend className="sr-only">{title}</legend>
    <div className="grid items-start gap-3 sm:grid-cols-2">
      {fields.map((field) => (
        <RowFieldView
          key={field.name}
          field={field}
          value={row[field.name]}
          onChange={(value) => onChange(field.name, value)}
          problem={problem(field.name)}
          disabled={isReadOnly}
        />
      ))}
    </div>
    {!isReadOnly && (
      <div className="mt-2 flex justify-end">
        <Button
          size="small"
          look="ghost"
          aria-label={`Remove ${title}`}
          icon={<Trash2 className="size-4" aria-hidden="true" />}
          onClick={onRemove}
        />
      </div>
    )}
  </fieldset>
);
