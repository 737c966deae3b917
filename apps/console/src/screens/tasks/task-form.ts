import type { NewTask, Task, TaskChanges } from '@switchyard/client';
import { asObject } from '../../ui/json-object';
import { STEP_EXAMPLES, type StepType } from './step-types';

export interface StepDraft {
  key: string;
  id: string;
  type: StepType;
  if: string;
  with: string;
  continueOnError: boolean;
  /** Null: once. */
  maxAttempts: number | null;
  /** Null: the default. */
  backoffSeconds: number | null;
  /** Properties without a form field. */
  rest: object;
}

export interface TaskDraft {
  name: string;
  description: string;
  type: Task['type'];
  active: boolean;
  cron: string;
  timezone: string;
  misfire: 'SKIP' | 'RUN_ONCE';
  inputs: string;
  steps: readonly StepDraft[];
  /** The steps while they are edited as JSON; null while they are edited in the form. */
  stepsText: string | null;
  maxAttempts: number | null;
  backoffSeconds: number | null;
  timeoutSeconds: number | null;
  concurrencyLimit: number | null;
  concurrencyPolicy: 'QUEUE' | 'SKIP';
}

export const LIMITS = [
  {
    field: 'maxAttempts',
    path: 'retry.maxAttempts',
    label: 'Attempts',
    hint: 'Of the execution, the first included.',
    min: 1,
    max: 10,
  },
  {
    field: 'backoffSeconds',
    path: 'retry.backoffSeconds',
    label: 'Retry after',
    hint: 'Seconds; doubles with each attempt.',
    min: 0,
    max: 3600,
  },
  {
    field: 'timeoutSeconds',
    path: 'timeoutSeconds',
    label: 'Timeout',
    hint: 'Seconds for the whole execution.',
    min: 1,
    max: 86_400,
  },
  {
    field: 'concurrencyLimit',
    path: 'concurrency.limit',
    label: 'Concurrent executions',
    hint: 'Of this task.',
    min: 1,
    max: 1000,
  },
] as const;

export const beginningOf = (type: StepType): string => JSON.stringify(STEP_EXAMPLES[type], null, 2);

export const newStep = (index: number): StepDraft => ({
  key: crypto.randomUUID(),
  id: `step${index + 1}`,
  type: 'transform',
  if: '',
  with: beginningOf('transform'),
  continueOnError: false,
  maxAttempts: null,
  backoffSeconds: null,
  rest: {},
});

export const emptyTask: TaskDraft = {
  name: '',
  description: '',
  type: 'MANUAL',
  active: true,
  cron: '0 9 * * 1-5',
  timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  misfire: 'SKIP',
  inputs: '{}',
  steps: [],
  stepsText: null,
  maxAttempts: null,
  backoffSeconds: null,
  timeoutSeconds: null,
  concurrencyLimit: null,
  concurrencyPolicy: 'QUEUE',
};

const stepDraftOf = (step: Partial<Task['steps'][number]>, index: number): StepDraft => {
  const { id = '', type = 'transform', if: when, with: what, continueOnError, retry, ...rest } = step;
  const { maxAttempts, backoffSeconds } = retry ?? {};
  return {
    key: `${index}-${id}`,
    id,
    type,
    if: when ?? '',
    with: JSON.stringify(what ?? {}, null, 2),
    continueOnError: continueOnError ?? false,
    maxAttempts: maxAttempts ?? null,
    backoffSeconds: backoffSeconds ?? null,
    rest,
  };
};

export const draftOf = (task: Task): TaskDraft => ({
  name: task.name,
  description: task.description ?? '',
  type: task.type,
  active: task.active,
  cron: task.schedule?.cron ?? emptyTask.cron,
  timezone: task.schedule?.timezone ?? emptyTask.timezone,
  misfire: task.schedule?.misfire ?? 'SKIP',
  inputs: JSON.stringify(task.inputs, null, 2),
  steps: task.steps.map(stepDraftOf),
  stepsText: null,
  maxAttempts: task.retry.maxAttempts,
  backoffSeconds: task.retry.backoffSeconds,
  timeoutSeconds: task.timeoutSeconds,
  concurrencyLimit: task.concurrency.limit,
  concurrencyPolicy: task.concurrency.policy,
});

/** The steps as they travel. Throws where a part is no JSON object. */
export function stepsOf(drafts: readonly StepDraft[]): NewTask['steps'] {
  return drafts.map((step) => {
    const { maxAttempts, backoffSeconds } = step;
    const rule = {
      ...(maxAttempts === null ? {} : { maxAttempts }),
      ...(backoffSeconds === null ? {} : { backoffSeconds }),
    };
    return {
      ...step.rest,
      id: step.id,
      type: step.type,
      with: objectIn(step.with, `Step ${step.id}`),
      ...(step.if.trim() === '' ? {} : { if: step.if }),
      ...(Object.keys(rule).length === 0 ? {} : { retry: rule }),
      ...(step.continueOnError ? { continueOnError: true } : {}),
    };
  });
}

/** The steps of the form as JSON. Throws as `stepsOf`. */
export const textOfSteps = (drafts: readonly StepDraft[]): string => JSON.stringify(stepsOf(drafts), null, 2);

/** The steps in a text; null where it is not a JSON list of objects. */
export function stepsIn(text: string): StepDraft[] | null {
  try {
    const value: unknown = JSON.parse(text);
    if (!Array.isArray(value)) return null;
    const areObjects = value.every((step) => typeof step === 'object' && step !== null && !Array.isArray(step));
    return areObjects ? value.map((step, index) => stepDraftOf(step as Partial<Task['steps'][number]>, index)) : null;
  } catch {
    return null;
  }
}

/** Throws where a part is no JSON. */
export function bodyOf(draft: TaskDraft): NewTask {
  const { maxAttempts, backoffSeconds, timeoutSeconds, concurrencyLimit } = draft;
  const steps = draft.stepsText === null ? draft.steps : stepsIn(draft.stepsText);
  if (steps === null) throw new Error('Steps: must be a JSON list of steps.');
  return {
    name: draft.name,
    description: draft.description === '' ? null : draft.description,
    type: draft.type,
    active: draft.active,
    schedule: draft.type === 'SCHEDULE' ? { cron: draft.cron, timezone: draft.timezone, misfire: draft.misfire } : null,
    inputs: objectIn(draft.inputs, 'Default inputs'),
    steps: stepsOf(steps),
    retry: {
      ...(maxAttempts === null ? {} : { maxAttempts }),
      ...(backoffSeconds === null ? {} : { backoffSeconds }),
    },
    ...(timeoutSeconds === null ? {} : { timeoutSeconds }),
    concurrency: {
      ...(concurrencyLimit === null ? {} : { limit: concurrencyLimit }),
      policy: draft.concurrencyPolicy,
    },
  };
}

/** Only what differs travels: saving a name must not make the saver the owner of steps that a colleague has written. */
export function changesOf(draft: TaskDraft, before: TaskDraft): TaskChanges {
  const old: Partial<NewTask> = bodyOf(before);
  const changed = Object.entries(bodyOf(draft)).filter(
    ([field, value]) => JSON.stringify(value) !== JSON.stringify(old[field as keyof NewTask]),
  );
  return Object.fromEntries(changed);
}

/** Whether a save would change nothing: steps that are only looked at as JSON or YAML are no change. */
export function isSameTask(draft: TaskDraft, before: TaskDraft): boolean {
  try {
    return Object.keys(changesOf(draft, before)).length === 0;
  } catch {
    // A part that cannot be read was written here.
    return false;
  }
}

function objectIn(text: string, what: string): Record<string, unknown> {
  const value = asObject(text);
  if (value === null) throw new Error(`${what}: must be a JSON object.`);
  return value;
}
