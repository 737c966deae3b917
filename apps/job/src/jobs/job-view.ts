import type { JobView } from '@switchyard/contracts';
import type { JobRow } from '../db/jobs.repository';

export const jobView = (row: JobRow): JobView => ({
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
  metadata: row.metadata,
  createdBy: row.createdBy,
  createdAt: row.createdAt,
  startedAt: row.startedAt,
  finishedAt: row.finishedAt,
  heartbeatAt: row.heartbeatAt,
  cancelRequestedAt: row.cancelRequestedAt,
});
