import type { ReactNode } from 'react';
import { problemOf } from '../../ui/errors';
import { NumberField, SelectField } from '../../ui/field';
import { LIMITS, type TaskDraft } from './task-form';

interface Props {
  draft: TaskDraft;
  set: (changes: Partial<TaskDraft>) => void;
  problem: unknown;
  disabled: boolean;
  /** A new task gets the defaults of the deployment for what is left empty. */
  isNew: boolean;
}

export function LimitFields({ draft, set, problem, disabled, isNew }: Props): ReactNode {
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      {LIMITS.map(({ field, path, label, hint, min, max }) => (
        <NumberField
          key={field}
          label={label}
          hint={hint}
          min={min}
          max={max}
          step={field === 'backoffSeconds' ? 'any' : 1}
          placeholder={isNew ? 'Default' : ''}
          value={draft[field]}
          onChange={(value) => set({ [field]: value })}
          problem={!isNew && draft[field] === null ? 'Enter a number.' : problemOf(problem, path)}
          disabled={disabled}
        />
      ))}
      <SelectField
        label="Over the limit"
        value={draft.concurrencyPolicy}
        onChange={(value) => set({ concurrencyPolicy: value === 'SKIP' ? 'SKIP' : 'QUEUE' })}
        options={[
          { value: 'QUEUE', label: 'Wait in the queue' },
          { value: 'SKIP', label: 'Skip the execution' },
        ]}
        problem={problemOf(problem, 'concurrency.policy')}
        disabled={disabled}
        className="sm:col-span-2"
      />
    </div>
  );
}
