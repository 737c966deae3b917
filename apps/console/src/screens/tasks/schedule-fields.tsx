import { type ReactNode, lazy, useDeferredValue } from 'react';
import { problemOf } from '../../ui/errors';
import { SelectField, TextField } from '../../ui/field';
import { LazyPart } from '../../ui/lazy-part';
import { cronInWords } from './cron-words';
import type { TaskDraft } from './task-form';

const NextTimes = lazy(async () => ({ default: (await import('./next-times')).NextTimes }));

interface Props {
  draft: TaskDraft;
  set: (changes: Partial<TaskDraft>) => void;
  problem: unknown;
  disabled: boolean;
}

export function ScheduleFields({ draft, set, problem, disabled }: Props): ReactNode {
  const cron = useDeferredValue(draft.cron);
  const timezone = useDeferredValue(draft.timezone);
  return (
    <>
      <TextField
        label="Cron"
        isCode
        value={draft.cron}
        onChange={(next) => set({ cron: next })}
        problem={problemOf(problem, 'schedule.cron')}
        hint={cronInWords(cron) ?? 'Minute, hour, day of month, month, day of week.'}
        disabled={disabled}
      />
      <TextField
        label="Time zone"
        value={draft.timezone}
        onChange={(next) => set({ timezone: next })}
        problem={problemOf(problem, 'schedule.timezone')}
        disabled={disabled}
      />
      <SelectField
        label="Missed runs"
        value={draft.misfire}
        onChange={(value) => set({ misfire: value === 'RUN_ONCE' ? 'RUN_ONCE' : 'SKIP' })}
        options={[
          { value: 'SKIP', label: 'Skip' },
          { value: 'RUN_ONCE', label: 'Run once' },
        ]}
        hint="Applies when the platform was down at a scheduled time."
        problem={problemOf(problem, 'schedule.misfire')}
        disabled={disabled}
      />
      <LazyPart name="The list of next runs">
        <NextTimes cron={cron} timezone={timezone} />
      </LazyPart>
    </>
  );
}
