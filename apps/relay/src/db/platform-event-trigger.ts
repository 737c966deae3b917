import type { PlatformEventTrigger } from '@switchyard/database';

/** One event for each threshold that the balance falls below, once until the next credit. */
const BALANCES: PlatformEventTrigger = {
  service: 'relay',
  table: 'accounts',
  id: 'low.reason',
  status: null,
  updated: { columns: ['balance'], events: { 'balance.low': 'new.balance < old.balance' } },
  joins: 'cross join lateral note_low_balance(new.space_id, new.balance, new.minimum_balance) as low (reason)',
  facts: { reason: 'low.reason', balance: 'new.balance' },
  actor: `''`,
  cause: null,
};

/** Rows are written at most once an hour and limit. */
const LIMITS: PlatformEventTrigger = {
  service: 'relay',
  table: 'reached_limits',
  id: 'new.limit_name',
  status: null,
  inserted: { 'limit.reached': 'true' },
  updated: { columns: ['reached_at'], events: { 'limit.reached': 'true' } },
  facts: {
    limit: 'new.limit_name',
    value: 'new.value',
    until: `to_char(new.until at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
  },
  actor: `''`,
  cause: null,
};

export const PLATFORM_EVENT_TRIGGERS = [BALANCES, LIMITS];
