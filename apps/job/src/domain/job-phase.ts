import type { JobPhase } from '@switchyard/contracts';

/**
 * Every move a job may make. RUNNING -> RUNNING is another process taking it over; a phase that has no way out is
 * an end.
 */
const MOVES: Record<JobPhase, readonly JobPhase[]> = {
  QUEUED: ['RUNNING', 'CANCELLED'],
  RUNNING: ['RUNNING', 'RETRYING', 'WAITING_INPUT', 'CANCELLING', 'SUCCEEDED', 'FAILED', 'CANCELLED', 'TIMED_OUT'],
  RETRYING: ['RUNNING', 'CANCELLED', 'TIMED_OUT'],
  WAITING_INPUT: ['RUNNING', 'CANCELLED', 'FAILED', 'SUCCEEDED', 'TIMED_OUT'],
  CANCELLING: ['CANCELLED'],
  SUCCEEDED: [],
  FAILED: [],
  CANCELLED: [],
  TIMED_OUT: [],
};

export const mayMove = (from: JobPhase, to: JobPhase): boolean => MOVES[from].includes(to);

export const hasEnded = (phase: JobPhase): boolean => MOVES[phase].length === 0;

/** What a request to cancel makes of a job: null where it has ended otherwise. */
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
