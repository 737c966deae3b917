import type { ReactNode } from 'react';
import type { DatasetField } from '@switchyard/client';
import { Plus, Trash2 } from 'lucide-react';
import { Button } from '../../ui/button';
import { problemOf } from '../../ui/errors';
import { CheckField, SelectField, TextField } from '../../ui/field';
import { type FieldDraft, TYPES, emptyField } from './field-draft';

interface Props {
  fields: readonly FieldDraft[];
  onChange: (fields: readonly FieldDraft[]) => void;
  error: unknown;
  isReadOnly?: boolean;
}

type Flag = 'required' | 'unique' | 'indexed' | 'fullText' | 'vector';

const FLAGS: readonly { flag: Flag; label: string; hint: string }[] = [
  { flag: 'required', label: 'Required', hint: 'Every record has it' },
  { flag: 'unique', label: 'Unique', hint: 'No value twice' },
  { flag: 'indexed', label: 'Indexed', hint: 'Fast filters and sorting' },
  { flag: 'fullText', label: 'Full text', hint: 'Found by its words' },
  { flag: 'vector', label: 'Vector', hint: 'Found by its meaning' },
];

/** A field that is there stays as it is: the API takes additions only. */
export function FieldEditor({ fields, onChange, error, isReadOnly = false }: Props): ReactNode {
  const set = (index: number, changes: Partial<FieldDraft>): void =>
    onChange(fields.map((field, at) => (at === index ? { ...field, ...changes } : field)));
  const isFixed = (field: FieldDraft): boolean => isReadOnly || field.isStored;
  const problem = (index: number, name: string): string | undefined =>
    problemOf(error, `schema.fields[${index}].${name}`);
  return (
    <div className="grid gap-3">
      {fields.length === 0 && <p className="text-faint">A dataset needs a field.</p>}
      {fields.map((field, index) => (
        <fieldset
          key={field.key}
          className="min-w-0 rounded-xl border border-line p-3"
          aria-label={`Field ${index + 1}`}
        >
          <div className="grid items-start gap-3 sm:grid-cols-[1fr_9rem_1fr_1fr_auto]">
            <TextField
              label="Field name"
              isCode
              value={field.name}
              onChange={(name) => set(index, { name })}
              problem={problem(index, 'name') ?? problemOf(error, `schema.fields[${index}]`)}
              disabled={isFixed(field)}
            />
            <SelectField
              label="Type"
              value={field.type}
              onChange={(type) => set(index, { type: type as DatasetField['type'] })}
              options={TYPES.map((type) => ({ value: type, label: type }))}
              disabled={isFixed(field)}
            />
            <TextField
              label="Default"
              value={field.default}
              onChange={(value) => set(index, { default: value })}
              problem={problem(index, 'default')}
              disabled={isFixed(field)}
            />
            <TextField
              label="Only these values"
              value={field.enum}
              onChange={(value) => set(index, { enum: value })}
              placeholder={isFixed(field) ? undefined : 'draft, live'}
              problem={problem(index, 'enum')}
              disabled={isFixed(field)}
            />
            {!isFixed(field) && (
              <Button
                look="ghost"
                className="justify-self-end sm:mt-6"
                aria-label={`Remove field ${index + 1}`}
                icon={<Trash2 className="size-4" aria-hidden="true" />}
                onClick={() => onChange(fields.filter((_, at) => at !== index))}
              />
            )}
          </div>
          <div className="mt-3 flex flex-wrap gap-x-5 gap-y-2">
            {FLAGS.map(({ flag, label, hint }) => (
              <div key={flag} title={hint}>
                <CheckField
                  label={label}
                  checked={field[flag]}
                  onChange={(isOn) => set(index, { [flag]: isOn })}
                  disabled={isFixed(field)}
                />
                {problem(index, flag) !== undefined && <p className="text-sm text-bad">{problem(index, flag)}</p>}
              </div>
            ))}
          </div>
        </fieldset>
      ))}
      {!isReadOnly && (
        <Button
          className="w-fit"
          icon={<Plus className="size-4" aria-hidden="true" />}
          onClick={() => onChange([...fields, emptyField()])}
        >
          Add field
        </Button>
      )}
    </div>
  );
}
