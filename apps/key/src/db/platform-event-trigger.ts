import { ACTION, CALLER, changeEvents, type PlatformEventTrigger } from '@switchyard/database';

/** Their id is that of the account. The actor of an accepted invitation is the person who accepts it. */
const MEMBERS: PlatformEventTrigger = {
  service: 'key',
  table: 'members',
  id: 'new.user_id',
  status: null,
  inserted: { 'member.added': 'true' },
  updated: { columns: ['role'], events: { 'member.changed': 'new.role is distinct from old.role' } },
  deleted: { 'member.removed': 'true' },
  facts: { userId: 'new.user_id' },
  actor: `coalesce(nullif(${CALLER}, ''), case when tg_op = 'INSERT' then 'user ' || new.user_id end)`,
  cause: null,
};

/** A key without a person is an application's. Keys that have ended are deleted later. */
const KEYS: PlatformEventTrigger = {
  service: 'key',
  table: 'api_keys',
  status: null,
  inserted: { 'key.created': 'true' },
  updated: {
    columns: ['revoked_at'],
    events: { 'key.revoked': 'old.revoked_at is null and new.revoked_at is not null' },
  },
  facts: { name: 'left(new.name, 1000)', userId: 'new.user_id' },
  actor: CALLER,
  cause: null,
};

const SECRETS: PlatformEventTrigger = {
  service: 'key',
  table: 'secrets',
  status: null,
  ...changeEvents('secret.changed', ['version']),
  facts: { userId: 'new.created_by', action: ACTION },
  actor: CALLER,
  cause: null,
};

export const PLATFORM_EVENT_TRIGGERS = [MEMBERS, KEYS, SECRETS];
