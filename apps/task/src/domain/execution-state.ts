import type { ExecutionStatus } from '@switchyard/contracts';

/**
 * QUEUED -> RUNNING -> SUCCEEDED | FAILED | CANCELLED | TIMED_OUT; QUEUED -> CANCELLED; FAILED -> QUEUED by the
 * task's own retry, and FAILED, TIMED_OUT, CANCELLED -> QUEUED by hand. SKIPPED is where an execution begins and
 * ends that was never to run.
 */
export const ENDED: readonly ExecutionStatus[] = ['SUCCEEDED', 'FAILED', 'CANCELLED', 'TIMED_OUT', 'SKIPPED'];
export const RETRYABLE: readonly ExecutionStatus[] = ['FAILED', 'TIMED_OUT', 'CANCELLED'];

export const hasEnded = (status: ExecutionStatus): boolean => ENDED.includes(status);
export const canRetry = (status: ExecutionStatus): boolean => RETRYABLE.includes(status);

/** What an execution that would start now begins as. */
export function firstStatus(
  task: { policy: 'QUEUE' | 'SKIP'; limit: number },
  unfinished: number,
): 'QUEUED' | 'SKIPPED' {
  return task.policy === 'SKIP' && unfinished >= task.limit ? 'SKIPPED' : 'QUEUED';
}

/** How deep the execution stands that somebody starts by hand, or a run through a tool of its agent. */
export const depthOf = (cause: { correlationId: string | null; depth: number }): number =>
  cause.correlationId === null ? 0 : cause.depth + 1;
