import type {
  RetryRuleInput,
  TaskChanges,
  TaskConcurrency,
  TaskConcurrencyInput,
  TaskSchedule,
  TaskScheduleInput,
  TaskSummary,
  TaskView,
} from '@switchyard/contracts';
import { type FieldRules, invalid, RecordFields } from '@switchyard/kernel';
import { checkSteps } from './check-steps';
import type { RetryRule } from './retry-rule';
import { refuseSecrets } from './secret-rules';

/** Set by the service, and not by those who write tasks. */
type OwnField = 'id' | 'ownerId' | 'nextRunAt' | 'version' | 'createdAt' | 'updatedAt' | 'oversized';

/** The fields of a task that its users write. */
export type TaskFields = { [Name in keyof Omit<TaskView, OwnField>]: TaskView[Name] };

export interface TaskDefaults {
  concurrency: number;
  timeoutSeconds: number;
}

const scheduleOf = (given: TaskScheduleInput): TaskSchedule => ({
  cron: given.cron.trim().replace(/\s+/g, ' '),
  timezone: given.timezone ?? 'UTC',
  misfire: given.misfire ?? 'SKIP',
});

const concurrencyOf = (given: TaskConcurrencyInput, before: TaskConcurrency): TaskConcurrency => ({
  limit: given.limit ?? before.limit,
  policy: given.policy ?? before.policy,
});

const retryOf = (given: RetryRuleInput, before: RetryRule): RetryRule => ({
  maxAttempts: given.maxAttempts ?? before.maxAttempts,
  backoffSeconds: given.backoffSeconds ?? before.backoffSeconds,
});

const small = false as const;
const large = true as const;

/** Each field of a task, once. */
const RULES: FieldRules<TaskFields, TaskSummary, TaskChanges> = {
  name: { initial: '', isLarge: small },
  description: { initial: null, isLarge: small },
  type: { initial: 'MANUAL', isLarge: small },
  active: { initial: true, isLarge: small },
  steps: { initial: [], isLarge: large },
  inputs: { initial: {}, isLarge: large },
  schedule: { initial: null, isLarge: small, changed: scheduleOf },
  concurrency: { initial: { limit: 5, policy: 'QUEUE' }, isLarge: small, changed: concurrencyOf },
  retry: { initial: { maxAttempts: 1, backoffSeconds: 1 }, isLarge: small, changed: retryOf },
  timeoutSeconds: { initial: 3600, isLarge: small },
  metadata: { initial: {}, isLarge: large },
};

export const taskFields = new RecordFields<TaskFields, TaskSummary, TaskChanges>(RULES);

/** A new task has the two defaults of the deployment. */
function initialTask({ concurrency, timeoutSeconds }: TaskDefaults): TaskFields {
  const initial = taskFields.initial();
  return { ...initial, concurrency: { ...initial.concurrency, limit: concurrency }, timeoutSeconds };
}

/** A task as it is after a change, or as it begins. Refuses what could not run. */
export function changeTask(before: TaskFields | null, changes: TaskChanges, defaults: TaskDefaults): TaskFields {
  const task = taskFields.changed(before ?? initialTask(defaults), changes);
  if (task.type === 'SCHEDULE' && task.schedule === null)
    throw invalid('schedule', 'is required for a task of type SCHEDULE');
  if (Object.hasOwn(task.inputs, 'trigger'))
    throw invalid('inputs.trigger', 'is set by the platform for runs that an event starts');
  // Steps that stay as they are were judged by the rules of their day.
  if (changes.steps) checkSteps(task.steps);
  const { steps: _steps, ...rest } = changes;
  refuseSecrets(rest);
  return task;
}
