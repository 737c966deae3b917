import { CALLER, type PlatformEventTrigger, statusEvents } from '@switchyard/database';

/** Events of jobs, by the phase that tells them. */
export const PLATFORM_EVENT_TRIGGER: PlatformEventTrigger = {
  service: 'job',
  table: 'jobs',
  status: 'phase',
  updated: statusEvents('phase', {
    SUCCEEDED: 'job.succeeded',
    FAILED: 'job.failed',
    CANCELLED: 'job.cancelled',
    TIMED_OUT: 'job.timed_out',
    WAITING_INPUT: 'job.waiting_input',
  }),
  facts: {
    name: 'new.agent_name',
    agentId: 'new.agent_id',
    turnId: 'new.turn_id',
    userId: 'new.created_by',
    errorCode: `left(new.error->>'code', 200)`,
  },
  actor: `case when new.phase = 'CANCELLED' then ${CALLER} end`,
  cause: {
    causationId: 'new.causation_id',
    correlationId: 'coalesce(new.correlation_id, new.id)',
    depth: 'new.depth',
    root: 'coalesce(new.correlation_id, new.id)',
    parent: `'job:' || new.id`,
  },
};
