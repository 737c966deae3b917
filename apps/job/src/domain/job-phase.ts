import type { JobPhase } from '@switchyard/contracts';
import { StateMachine } from '@switchyard/kernel';

/** RUNNING -> RUNNING is another process taking it over, WAITING_INPUT -> WAITING_INPUT another question. */
const PHASES = new StateMachine<JobPhase>({
  QUEUED: ['RUNNING', 'CANCELLED'],
  RUNNING: ['RUNNING', 'RETRYING', 'WAITING_INPUT', 'CANCELLING', 'SUCCEEDED', 'FAILED', 'CANCELLED', 'TIMED_OUT'],
  RETRYING: ['RUNNING', 'CANCELLED', 'TIMED_OUT'],
  WAITING_INPUT: ['WAITING_INPUT', 'RUNNING', 'CANCELLED', 'FAILED', 'SUCCEEDED', 'TIMED_OUT'],
  CANCELLING: ['CANCELLED'],
  SUCCEEDED: [],
  FAILED: [],
  CANCELLED: [],
  TIMED_OUT: [],
});

export const ENDED = PHASES.ended;
/** They wait for a worker. */
export const QUEUED: readonly JobPhase[] = ['QUEUED', 'RETRYING'];
/** They count against the limit of their Space. */
export const BUSY: readonly JobPhase[] = ['RUNNING', 'CANCELLING'];
/** A worker may hold them. */
export const LEASABLE: readonly JobPhase[] = [...BUSY, 'WAITING_INPUT'];
/** Their time goes on. While a person thinks, it stands still. */
export const TIMED: readonly JobPhase[] = ['RUNNING', 'RETRYING'];

/** From where the worker that holds a job may bring it there. */
export const leasableBefore = (to: JobPhase): readonly JobPhase[] => PHASES.before(to, LEASABLE);

/** The phase that a cancel request leads to, or null if the job has already ended. */
export function onCancel(phase: JobPhase): 'CANCELLED' | 'CANCELLING' | null {
  switch (phase) {
    case 'QUEUED':
    case 'RETRYING':
    case 'WAITING_INPUT':
    case 'CANCELLED':
      return 'CANCELLED';
    case 'RUNNING':
    case 'CANCELLING':
      return 'CANCELLING';
    case 'SUCCEEDED':
    case 'FAILED':
    case 'TIMED_OUT':
      return null;
  }
}
