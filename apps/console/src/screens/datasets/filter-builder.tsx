import { type ReactNode, useState } from 'react';
import type { DatasetField, Filter } from '@switchyard/client';
import { SwitchyardError } from '@switchyard/client';
import { Filter as Funnel, X } from 'lucide-react';
import { Button } from '../../ui/button';
import { SelectField, TextField } from '../../ui/field';
import { type Condition, type Operator, conditionsOf, filterOf, operatorsFor } from './filter';
import { problemWords } from './values';

interface Props {
  fields: readonly DatasetField[];
  filter: Filter | undefined;
  onChange: (filter: Filter | undefined) => void;
  /** Why the list was refused. */
  error: Error | null;
}

const given: readonly DatasetField[] = [
  { name: 'id', type: 'uuid' },
  { name: 'createdAt', type: 'datetime' },
  { name: 'updatedAt', type: 'datetime' },
];

/** Conditions that all have to hold, and the JSON that they are for a program. */
export function FilterBuilder({ fields: own, filter, onChange, error }: Props): ReactNode {
  const fields = [...own, ...given];
  const [rows, setRows] = useState<Condition[]>(() => conditionsOf(filter) ?? []);
  const [made, setMade] = useState(filter);
  // Back, forward and a followed link change the filter from outside.
  if (JSON.stringify(made) !== JSON.stringify(filter)) {
    setMade(filter);
    setRows(conditionsOf(filter) ?? []);
  }
  const isFree = conditionsOf(filter) === null;
  const change = (next: Condition[]): void => {
    const requested = filterOf(next, fields);
    setRows(next);
    if (JSON.stringify(requested) === JSON.stringify(filter)) return;
    setMade(requested);
    onChange(requested);
  };
  const set = (index: number, changes: Partial<Condition>): void =>
    change(rows.map((row, at) => (at === index ? { ...row, ...changes } : row)));
  const typeOf = (name: string): DatasetField['type'] | undefined => fields.find((field) => field.name === name)?.type;
  const choose = (index: number, field: string): void => {
    const fits = operatorsFor(typeOf(field)).some(({ value }) => value === rows[index]?.operator);
    set(index, { field, ...(fits ? {} : { operator: 'eq' }) });
  };
  return (
    <div className="grid gap-2">
      {rows.map((row, index) => (
        <div
          key={index}
          role="group"
          aria-label={`Filter ${index + 1}`}
          className="grid grid-cols-[1fr_1fr_auto] items-start gap-2 sm:grid-cols-[12rem_9rem_18rem_auto] sm:justify-start"
        >
          <SelectField
            label="Field"
            hideLabel
            value={row.field}
            onChange={(field) => choose(index, field)}
            options={fields.map(({ name }) => ({ value: name, label: name }))}
          />
          <SelectField
            label="Operator"
            hideLabel
            value={row.operator}
            onChange={(operator) => set(index, { operator: operator as Operator })}
            options={operatorsFor(typeOf(row.field))}
          />
          <TextField
            label="Value"
            hideLabel
            className="max-sm:order-last max-sm:col-span-3"
            value={row.value}
            onChange={(value) => set(index, { value })}
            placeholder={placeholderOf(row, typeOf(row.field))}
            problem={problemWords(typeOf(row.field), problemOfRow(error, row))}
          />
          <Button
            look="ghost"
            aria-label={`Remove filter ${index + 1}`}
            icon={<X className="size-4" aria-hidden="true" />}
            onClick={() => change(rows.filter((_, at) => at !== index))}
          />
        </div>
      ))}
      <div className="flex flex-wrap items-center gap-2">
        {!isFree && (
          <Button
            icon={<Funnel className="size-4" aria-hidden="true" />}
            onClick={() => change([...rows, { field: fields[0]?.name ?? 'id', operator: 'eq', value: '' }])}
          >
            Add filter
          </Button>
        )}
        {filter !== undefined && (
          <>
            <code
              role="note"
              aria-label="Filter as JSON"
              className="max-w-full min-w-0 rounded-md bg-sunken px-2 py-1 font-mono text-xs break-all text-soft"
            >
              {JSON.stringify(filter)}
            </code>
            <Button look="ghost" size="small" onClick={() => change([])}>
              Clear filter
            </Button>
          </>
        )}
      </div>
    </div>
  );
}

const placeholderOf = ({ operator }: Condition, type: DatasetField['type'] | undefined): string => {
  if (operator === 'exists') return 'true or false';
  if (operator === 'in' || operator === 'nin') return 'one, two, three';
  if (type === 'date') return '2026-01-31';
  if (type === 'datetime') return '2026-01-31T08:00:00Z';
  return type === 'boolean' ? 'true or false' : 'Value';
};

/** The API names the field in the path of what it refuses: `filter.price.gte`, `filter.and[1].price.gte`. */
const problemOfRow = (error: Error | null, { field, operator }: Condition): string | undefined =>
  error instanceof SwitchyardError
    ? error.details.find(({ path }) => path.replace(/\[\d+\]$/u, '').endsWith(`.${field}.${operator}`))?.message
    : undefined;
