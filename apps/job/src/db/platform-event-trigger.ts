import type { PlatformEventTrigger } from '@switchyard/database';

/** Events of jobs, by the phase that tells them. */
export const PLATFORM_EVENT_TRIGGER: PlatformEventTrigger = {
  service: 'job',
  table: 'jobs',
  status: 'phase',
  events: {
    SUCCEEDED: 'job.succeeded',
    FAILED: 'job.failed',
    CANCELLED: 'job.cancelled',
    TIMED_OUT: 'job.timed_out',
    WAITING_INPUT: 'job.waiting_input',
  },
  inserted: [],
  facts: {
    agentId: 'new.agent_id',
    turnId: 'new.turn_id',
    userId: 'new.created_by',
    errorCode: `left(new.error->>'code', 200)`,
  },
  isOfCaller: `new.phase = 'CANCELLED'`,
  cause: {
    causationId: 'new.causation_id',
    correlationId: 'coalesce(new.correlation_id, new.id)',
    depth: 'new.depth',
    root: 'coalesce(new.correlation_id, new.id)',
    parent: `'job:' || new.id`,
  },
};
