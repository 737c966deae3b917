import type { ReactNode } from 'react';
import { CheckField, SelectField } from '../../ui/field';

interface Props {
  label: string;
  /** Null: all of them. */
  value: readonly string[] | null;
  onChange: (value: readonly string[] | null) => void;
  options: readonly { value: string; label: string }[];
  problem: string | undefined;
}

/** All, or the ticked ones. A ticked value that is no longer offered stays until it is removed. */
export function MultiSelect({ label, value, onChange, options, problem }: Props): ReactNode {
  const removed = (value ?? []).filter((one) => !options.some((option) => option.value === one));
  const shown = [...options, ...removed.map((one) => ({ value: one, label: one }))];
  return (
    <div className="grid content-start gap-2">
      <SelectField
        label={label}
        value={value === null ? 'all' : 'some'}
        onChange={(next) => onChange(next === 'all' ? null : [])}
        options={[
          { value: 'all', label: 'All' },
          { value: 'some', label: 'Only these' },
        ]}
        problem={problem}
      />
      {value !== null && (
        <fieldset className="grid max-h-48 gap-1.5 overflow-auto rounded-lg border border-line p-2.5">
          <legend className="sr-only">{label}</legend>
          {shown.map((option) => (
            <CheckField
              key={option.value}
              label={option.label}
              checked={value.includes(option.value)}
              onChange={(isOn) =>
                onChange(isOn ? [...value, option.value] : value.filter((one) => one !== option.value))
              }
            />
          ))}
        </fieldset>
      )}
    </div>
  );
}
