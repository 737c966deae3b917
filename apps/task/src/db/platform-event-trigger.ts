import { ACTION, CALLER, changeEvents, type PlatformEventTrigger, statusEvents } from '@switchyard/database';

/** Events of executions, by the status that tells them. */
export const PLATFORM_EVENT_TRIGGER: PlatformEventTrigger = {
  service: 'task',
  table: 'executions',
  status: 'status',
  inserted: { 'execution.skipped': `new.status = 'SKIPPED'` },
  updated: statusEvents('status', {
    SUCCEEDED: 'execution.succeeded',
    FAILED: 'execution.failed',
    CANCELLED: 'execution.cancelled',
    TIMED_OUT: 'execution.timed_out',
    SKIPPED: 'execution.skipped',
  }),
  facts: {
    name: '(select left(t.name, 1000) from tasks t where t.space_id = new.space_id and t.id = new.task_id)',
    taskId: 'new.task_id',
    userId: 'coalesce(new.requested_by, new.owner_id)',
    errorCode: `left(new.error->>'code', 200)`,
  },
  actor: `case when new.status = 'CANCELLED' then ${CALLER} end`,
  cause: {
    causationId: 'new.causation_id',
    correlationId: 'coalesce(new.correlation_id, new.id)',
    depth: 'new.depth',
    root: 'coalesce(new.root, new.correlation_id, new.id)',
    parent: `'execution:' || new.id`,
  },
};

const exceptTrials = (events: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(events).map(([event, condition]) => [event, `${condition} and new.tried_step is null`]),
  );

/** Trials of one step are no runs of their task. */
export const EVENTS_WITHOUT_TRIALS: PlatformEventTrigger = {
  ...PLATFORM_EVENT_TRIGGER,
  inserted: exceptTrials(PLATFORM_EVENT_TRIGGER.inserted ?? {}),
  updated: { columns: ['status'], events: exceptTrials(PLATFORM_EVENT_TRIGGER.updated?.events ?? {}) },
};

/** Deleted tasks stay for a while, without an event at their end. */
export const TASK_CHANGES: PlatformEventTrigger = {
  service: 'task',
  table: 'tasks',
  status: null,
  inserted: { 'task.changed': 'true' },
  updated: changeEvents('task.changed', ['version', 'deleted_at']).updated,
  facts: {
    name: 'left(new.name, 1000)',
    taskId: 'new.id',
    userId: 'new.owner_id',
    action: `case when new.deleted_at is not null then 'deleted' else ${ACTION} end`,
  },
  actor: CALLER,
  cause: null,
};
