import type { TaskView } from '@switchyard/contracts';
import type { TaskRow } from '../db/tasks.repository';
import type { TaskFields } from '../domain/task-fields';

export const taskView = (row: TaskRow): TaskView => ({
  id: row.id,
  name: row.name,
  description: row.description,
  type: row.type,
  active: row.active,
  ownerId: row.ownerId,
  steps: row.steps,
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
