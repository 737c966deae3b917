import type { JobSummary, JobView } from '@switchyard/contracts';
import { type Truncated, shortValue } from '@switchyard/kernel';
import type { JobRow, ListedJob } from '../db/jobs.repository';

const summary = (row: ListedJob): JobSummary => ({
  id: row.id,
  type: row.type,
  agentId: row.agentId,
  phase: row.phase,
  progress: row.progress,
  progressMessage: row.progressMessage,
  result: row.result,
  error: row.error,
  attempt: row.attempt,
  maxAttempts: row.maxAttempts,
  priority: row.priority,
  timeoutSeconds: row.timeoutSeconds,
  callbackUrl: row.callbackUrl,
  input: row.input,
  interaction: row.interaction,
  turnId: row.turnId,
  createdBy: row.createdBy,
  createdAt: row.createdAt,
  startedAt: row.startedAt,
  finishedAt: row.finishedAt,
  heartbeatAt: row.heartbeatAt,
  cancelRequestedAt: row.cancelRequestedAt,
});

export const jobView = (row: JobRow): JobView => ({ ...summary(row), metadata: row.metadata });

/** The view with the links that stand in for some of its fields. */
export const withLinks = (view: JobView, links: ReadonlyMap<string, Truncated>): JobView => ({
  ...view,
  input: links.get('input') ?? view.input,
  result: (links.get('result') as JobView['result'] | undefined) ?? view.result,
  metadata: (links.get('metadata') as JobView['metadata'] | undefined) ?? view.metadata,
});

const short = <T>(value: T): T => shortValue(value) as T;

/** As the row of a list: what is long is left out, and the single record has it. */
export const listedJobView = (row: ListedJob): JobSummary => ({
  ...summary(row),
  input: short(row.input),
  result: short(row.result),
  interaction: short(row.interaction),
});
