import type { ExecutionStatus } from '@switchyard/contracts';
import { StateMachine } from '@switchyard/kernel';

/**
 * RUNNING -> RUNNING is another process taking it over, RUNNING -> QUEUED the task's own retry. SKIPPED is where an
 * execution begins and ends that was never to run.
 */
const STATUSES = new StateMachine<ExecutionStatus>({
  QUEUED: ['RUNNING', 'CANCELLED', 'SKIPPED'],
  RUNNING: ['RUNNING', 'QUEUED', 'SUCCEEDED', 'FAILED', 'CANCELLED', 'TIMED_OUT'],
  SUCCEEDED: [],
  FAILED: [],
  CANCELLED: [],
  TIMED_OUT: [],
  SKIPPED: [],
});

export const ENDED = STATUSES.ended;
export const CANCELLABLE = STATUSES.before('CANCELLED');
/** States from which a manual rerun is allowed. */
export const RETRYABLE: readonly ExecutionStatus[] = ['FAILED', 'TIMED_OUT', 'CANCELLED'];

export const hasEnded = (status: ExecutionStatus): boolean => STATUSES.hasEnded(status);

/** The initial state of an execution that starts now. */
export function firstStatus(
  task: { policy: 'QUEUE' | 'SKIP'; limit: number },
  unfinished: number,
): 'QUEUED' | 'SKIPPED' {
  return task.policy === 'SKIP' && unfinished >= task.limit ? 'SKIPPED' : 'QUEUED';
}

/** Depth of an execution that is started manually, or by a run through a tool of its agent. */
export const depthOf = (cause: { correlationId: string | null; depth: number }): number =>
  cause.correlationId === null ? 0 : cause.depth + 1;
