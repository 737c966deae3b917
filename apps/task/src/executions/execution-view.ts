import type { ExecutionView, RunView, StepStatus, StepView, TaskStep } from '@switchyard/contracts';
import { type JsonObject, type Truncated, isPlainObject } from '@switchyard/kernel';
import type { ExecutionRow } from '../db/executions.repository';
import type { StepRow } from '../db/steps.repository';
import { isDone, unreachedIn } from '../domain/next-step';

const stepView = (step: TaskStep, row: StepRow | undefined, unreached: StepStatus): StepView => ({
  id: step.id,
  type: step.type,
  status: row?.status ?? unreached,
  attempt: row?.attempt ?? 0,
  input: row?.input ?? null,
  output: row?.output ?? null,
  error: row?.error ?? null,
  startedAt: row?.startedAt ?? null,
  finishedAt: row?.finishedAt ?? null,
});

/** The event that started it; null by hand and on schedule. */
export const triggerOf = (row: ExecutionRow): JsonObject | null =>
  row.kind === 'EVENT' && isPlainObject(row.inputs['trigger']) ? row.inputs['trigger'] : null;

export function executionView(row: ExecutionRow, steps: readonly StepRow[]): ExecutionView {
  const byId = new Map(steps.map((step) => [step.stepId, step]));
  const unreached = unreachedIn(row.status);
  return {
    id: row.id,
    taskId: row.taskId,
    taskVersion: row.taskVersion,
    status: row.status,
    trigger: triggerOf(row),
    inputs: row.inputs,
    steps: row.steps.map((step) => stepView(step, byId.get(step.id), unreached)),
    output: row.output ?? null,
    error: row.error,
    attempt: row.attempt,
    requestedBy: row.requestedBy,
    createdAt: row.createdAt,
    startedAt: row.startedAt,
    finishedAt: row.finishedAt,
    scheduledFor: row.slot,
    causationId: row.causationId,
    correlationId: row.correlationId,
    depth: row.depth,
    rerunOf: row.rerunOf,
    triedStep: row.triedStep,
  };
}

/** The view with the links that stand in for some of its fields, by the paths of these fields. */
export function withLinks(view: ExecutionView, links: ReadonlyMap<string, Truncated>): ExecutionView {
  return {
    ...view,
    inputs: (links.get('inputs') as JsonObject | undefined) ?? view.inputs,
    output: links.get('output') ?? view.output,
    steps: view.steps.map((step) => ({
      ...step,
      input: links.get(`steps.${step.id}.input`) ?? step.input,
      output: links.get(`steps.${step.id}.output`) ?? step.output,
    })),
  };
}

export function runView(row: ExecutionRow, steps: readonly StepRow[]): RunView {
  const byId = new Map(steps.map((step) => [step.stepId, step]));
  const statusOf = (step: TaskStep): StepRow['status'] => byId.get(step.id)?.status ?? 'PENDING';
  const current = row.status === 'RUNNING' ? row.steps.find((step) => !isDone(statusOf(step))) : undefined;
  return {
    id: row.id,
    taskId: row.taskId,
    status: row.status,
    progress: { done: row.steps.filter((step) => isDone(statusOf(step))).length, total: row.steps.length },
    currentStep: current?.id ?? null,
    startedAt: row.startedAt,
    finishedAt: row.finishedAt,
    error: row.error,
  };
}
