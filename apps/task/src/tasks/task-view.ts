import { type Ctx, type TaskSummary, type TaskView, shownOversized } from '@switchyard/contracts';
import { picked } from '@switchyard/kernel';
import { fieldsOfRow, type ListedTask, listedFieldsOfRow, type TaskRow } from '../db/task-columns';
import { shownSteps } from '../domain/hide-credential-headers';
import { taskFields } from '../domain/task-fields';

export const taskSummary = (row: ListedTask): TaskSummary => ({
  id: row.id,
  ...listedFieldsOfRow(row),
  ownerId: row.ownerId,
  nextRunAt: row.nextRunAt,
  version: row.version,
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
  ...shownOversized(row.oversized),
});

export const taskView = (ctx: Ctx, row: TaskRow): TaskView => ({
  ...taskSummary(row),
  ...picked(fieldsOfRow(row), taskFields.large),
  steps: shownSteps(ctx, row.steps),
});
