import type { Ctx, TaskView } from '@switchyard/contracts';
import type { TaskRow } from '../db/tasks.repository';
import { shownSteps } from '../domain/shown-steps';
import type { TaskFields } from '../domain/task-fields';

export const taskView = (ctx: Ctx, row: TaskRow): TaskView => ({
  id: row.id,
  name: row.name,
  description: row.description,
  type: row.type,
  active: row.active,
  ownerId: row.ownerId,
  steps: shownSteps(ctx, row.steps),
  inputs: row.inputs,
  schedule: row.schedule,
  nextRunAt: row.nextRunAt,
  concurrency: { limit: row.concurrencyLimit, policy: row.concurrencyPolicy },
  retry: row.retry,
  timeoutSeconds: row.timeoutSeconds,
  metadata: row.metadata,
  version: row.version,
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
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
