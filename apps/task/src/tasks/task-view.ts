import { type Ctx, type TaskSummary, type TaskView, shownOversized } from '@switchyard/contracts';
import type { ListedTask, TaskRow } from '../db/tasks.repository';
import { shownSteps } from '../domain/shown-steps';
import type { TaskFields } from '../domain/task-fields';

export const taskSummary = (row: ListedTask): TaskSummary => ({
  id: row.id,
  name: row.name,
  description: row.description,
  type: row.type,
  active: row.active,
  ownerId: row.ownerId,
  schedule: row.schedule,
  nextRunAt: row.nextRunAt,
  concurrency: { limit: row.concurrencyLimit, policy: row.concurrencyPolicy },
  retry: row.retry,
  timeoutSeconds: row.timeoutSeconds,
  version: row.version,
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
  ...shownOversized(row.oversized),
});

export const taskView = (ctx: Ctx, row: TaskRow): TaskView => ({
  ...taskSummary(row),
  steps: shownSteps(ctx, row.steps),
  inputs: row.inputs,
  metadata: row.metadata,
});

export const fieldsOfRow = (row: TaskRow): TaskFields => ({
  name: row.name,
  description: row.description,
  type: row.type,
  active: row.active,
  steps: row.steps,
  inputs: row.inputs,
  schedule: row.schedule,
  concurrency: { limit: row.concurrencyLimit, policy: row.concurrencyPolicy },
  retry: row.retry,
  timeoutSeconds: row.timeoutSeconds,
  metadata: row.metadata,
});
