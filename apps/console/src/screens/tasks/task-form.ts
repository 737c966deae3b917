import type { NewTask, Task } from '@switchyard/client';

export interface StepDraft {
  key: string;
  id: string;
  type: Task['steps'][number]['type'];
  if: string;
  with: string;
  continueOnError: boolean;
  /** What the form has no field for. */
  rest: object;
}

export interface TaskDraft {
  name: string;
  description: string;
  type: Task['type'];
  active: boolean;
  cron: string;
  timezone: string;
  inputs: string;
  steps: readonly StepDraft[];
}

export const STEP_TYPES: readonly StepDraft['type'][] = ['agent', 'http', 'dataset', 'emit', 'transform', 'wait'];

/** What each kind of step asks for, to begin with. */
const BEGINNINGS: Record<StepDraft['type'], unknown> = {
  agent: { agentId: '', inputs: { query: '{{ execution.inputs.query }}' } },
  http: { method: 'GET', url: 'https://' },
  dataset: { datasetId: '', operation: 'query', filter: {} },
  emit: { appIdentifier: '', event: '', payload: {} },
  transform: { value: '{{ execution.inputs }}' },
  wait: { seconds: 10 },
};

export const beginningOf = (type: StepDraft['type']): string => JSON.stringify(BEGINNINGS[type], null, 2);

export const newStep = (place: number): StepDraft => ({
  key: crypto.randomUUID(),
  id: `step${place + 1}`,
  type: 'transform',
  if: '',
  with: beginningOf('transform'),
  continueOnError: false,
  rest: {},
});

export const emptyTask: TaskDraft = {
  name: '',
  description: '',
  type: 'MANUAL',
  active: true,
  cron: '0 9 * * 1-5',
  timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  inputs: '{}',
  steps: [],
};

export const draftOf = (task: Task): TaskDraft => ({
  name: task.name,
  description: task.description ?? '',
  type: task.type,
  active: task.active,
  cron: task.schedule?.cron ?? emptyTask.cron,
  timezone: task.schedule?.timezone ?? emptyTask.timezone,
  inputs: JSON.stringify(task.inputs, null, 2),
  steps: task.steps.map(({ id, type, if: when, with: what, continueOnError, ...rest }) => ({
    key: id,
    id,
    type,
    if: when ?? '',
    with: JSON.stringify(what, null, 2),
    continueOnError: continueOnError ?? false,
    rest,
  })),
});

/** Throws where a part is no JSON. */
export function bodyOf(draft: TaskDraft, misfire: 'SKIP' | 'RUN_ONCE' = 'SKIP'): NewTask {
  return {
    name: draft.name,
    description: draft.description === '' ? null : draft.description,
    type: draft.type,
    active: draft.active,
    schedule: draft.type === 'SCHEDULE' ? { cron: draft.cron, timezone: draft.timezone, misfire } : null,
    inputs: objectIn(draft.inputs, 'The inputs'),
    steps: draft.steps.map((step) => ({
      ...step.rest,
      id: step.id,
      type: step.type,
      with: objectIn(step.with, `Step ${step.id}`),
      ...(step.if.trim() === '' ? {} : { if: step.if }),
      ...(step.continueOnError ? { continueOnError: true } : {}),
    })),
  };
}

function objectIn(text: string, what: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    throw new Error(`${what}: this is no JSON yet.`);
  }
}
