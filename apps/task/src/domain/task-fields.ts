import type {
  RetryRuleInput,
  TaskChanges,
  TaskConcurrency,
  TaskConcurrencyInput,
  TaskSchedule,
  TaskScheduleInput,
  TaskStep,
  TaskType,
} from '@switchyard/contracts';
import { type JsonObject, invalid } from '@switchyard/kernel';
import { checkSteps } from './check-steps';
import type { RetryRule } from './retry-rule';
import { refuseSecrets } from './secret-rules';

export interface TaskFields {
  name: string;
  description: string | null;
  type: TaskType;
  active: boolean;
  steps: TaskStep[];
  inputs: JsonObject;
  schedule: TaskSchedule | null;
  concurrency: TaskConcurrency;
  retry: RetryRule;
  timeoutSeconds: number;
  metadata: JsonObject;
}

export interface TaskDefaults {
  concurrency: number;
  timeoutSeconds: number;
}

const blank = (defaults: TaskDefaults): TaskFields => ({
  name: '',
  description: null,
  type: 'MANUAL',
  active: true,
  steps: [],
  inputs: {},
  schedule: null,
  concurrency: { limit: defaults.concurrency, policy: 'QUEUE' },
  retry: { maxAttempts: 1, backoffSeconds: 1 },
  timeoutSeconds: defaults.timeoutSeconds,
  metadata: {},
});

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

/** A task as it is after a change, or as it begins. Refuses what could not run. */
export function changeTask(before: TaskFields | null, changes: TaskChanges, defaults: TaskDefaults): TaskFields {
  const old = before ?? blank(defaults);
  const task: TaskFields = {
    name: changes.name ?? old.name,
    description: changes.description === undefined ? old.description : changes.description,
    type: changes.type ?? old.type,
    active: changes.active ?? old.active,
    steps: changes.steps ?? old.steps,
    inputs: changes.inputs ?? old.inputs,
    schedule: changes.schedule === undefined ? old.schedule : changes.schedule && scheduleOf(changes.schedule),
    concurrency: changes.concurrency ? concurrencyOf(changes.concurrency, old.concurrency) : old.concurrency,
    retry: changes.retry ? retryOf(changes.retry, old.retry) : old.retry,
    timeoutSeconds: changes.timeoutSeconds ?? old.timeoutSeconds,
    metadata: changes.metadata ?? old.metadata,
  };
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
