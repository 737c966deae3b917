import { CALLER, type PlatformEventTrigger, statusEvents } from '@switchyard/database';

/** Causes of a turn, whose row is `row`. Its key is no id that users see. */
const causeOf = (row: string): NonNullable<PlatformEventTrigger['cause']> => ({
  causationId: `${row}.identity->>'causationId'`,
  correlationId: `coalesce(${row}.identity->>'correlationId', ${row}.id::text)`,
  depth: `coalesce((${row}.identity->>'depth')::int, 0)`,
  root: `coalesce(${row}.identity->'lineage'->>'root', ${row}.identity->>'correlationId', ${row}.id::text)`,
  parent: `'turn:' || ${row}.id`,
});

const ofSession = (events: Readonly<Record<string, string>>): NonNullable<PlatformEventTrigger['updated']> => {
  const { columns, events: conditions } = statusEvents('status', events);
  return {
    columns,
    events: Object.fromEntries(
      Object.entries(conditions).map(([event, condition]) => [event, `${condition} and new.session_id is not null`]),
    ),
  };
};

/** Ends of turns that have a session. The agent's name is that at the start of the turn. */
const TURNS: PlatformEventTrigger = {
  service: 'session',
  table: 'turns',
  id: 'new.turn_id',
  status: 'status',
  updated: ofSession({ COMPLETED: 'turn.completed', FAILED: 'turn.failed', CANCELLED: 'turn.cancelled' }),
  facts: {
    name: 'new.agent_name',
    agentId: 'new.agent_id',
    sessionId: 'new.session_id',
    turnId: 'new.turn_id',
    userId: 'new.user_id',
    errorCode: `left(new.error->>'code', 200)`,
  },
  actor: `case when new.status = 'CANCELLED' then new.cancelled_by end`,
  cause: causeOf('new'),
};

const isNow = (status: string): string => `new.status is distinct from old.status and new.status = '${status}'`;

/** A turn waits with its question: the question is recorded after the turn's status. */
const INTERACTIONS: PlatformEventTrigger = {
  service: 'session',
  table: 'interactions',
  id: `case when happened = 'turn.waiting' then new.turn_id else new.id end`,
  status: null,
  inserted: { 'turn.waiting': `new.status = 'PENDING'` },
  updated: {
    columns: ['status'],
    events: {
      'interaction.answered': isNow('ANSWERED'),
      'interaction.expired': isNow('EXPIRED'),
      'approval.answered': `${isNow('ANSWERED')} and new.purpose = 'approval'`,
    },
  },
  joins: 'join turns t on t.space_id = new.space_id and t.id = new.turn_key',
  facts: {
    name: 't.agent_name',
    agentId: 'new.agent_id',
    sessionId: 'new.session_id',
    turnId: 'new.turn_id',
    userId: 'new.user_id',
    status: `case when happened = 'turn.waiting' then 'WAITING_INPUT' else new.status end`,
    previousStatus: `case when happened = 'turn.waiting' then 'RUNNING' else 'PENDING' end`,
    interactionId: 'new.id',
    purpose: 'new.purpose',
  },
  actor: `case when new.status = 'ANSWERED' then ${CALLER} end`,
  cause: causeOf('t'),
};

export const PLATFORM_EVENT_TRIGGERS = [TURNS, INTERACTIONS];
