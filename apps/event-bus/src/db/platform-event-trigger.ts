import { ACTION, CALLER, changeEvents, type PlatformEventTrigger } from '@switchyard/database';

/** The application of the platform itself is registered again with each version. */
const IS_OWN = `'00000000-0000-7%'`;
const {
  inserted = {},
  updated,
  deleted = {},
} = changeEvents('application.changed', ['version', 'manifest', 'system_key_id']);
const ofUsers = (row: string, conditions: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(conditions).map(([event, condition]) => [
      event,
      `(${condition}) and ${row}.id::text not like ${IS_OWN}`,
    ]),
  );

const APPLICATIONS: PlatformEventTrigger = {
  service: 'event-bus',
  table: 'applications',
  status: null,
  inserted: ofUsers('new', inserted),
  ...(updated ? { updated: { ...updated, events: ofUsers('new', updated.events) } } : {}),
  deleted: ofUsers('old', deleted),
  facts: { name: 'left(new.name, 1000)', userId: 'new.installed_by', action: ACTION },
  actor: CALLER,
  cause: null,
};

/** Its health changes with its deliveries; resuming it is a change by a person. */
const SETTINGS = ['url', 'headers', 'in_flight', 'ack_seconds', 'active', 'old_secret_until'];
const ENDPOINT = changeEvents('endpoint.changed', SETTINGS);

const ENDPOINTS: PlatformEventTrigger = {
  service: 'event-bus',
  table: 'endpoints',
  status: 'status',
  ...ENDPOINT,
  updated: {
    columns: [...SETTINGS, 'status'],
    events: {
      'endpoint.changed': `${ENDPOINT.updated?.events['endpoint.changed'] ?? 'false'} or (old.status = 'DISABLED' and new.status <> 'DISABLED')`,
      'endpoint.disabled': `old.status <> 'DISABLED' and new.status = 'DISABLED'`,
    },
  },
  facts: {
    name: 'new.name',
    userId: 'new.created_by',
    errorCode: `case when happened = 'endpoint.disabled' then left(new.failing_reason, 200) end`,
    action: ACTION,
  },
  actor: CALLER,
  cause: null,
};

export const PLATFORM_EVENT_TRIGGERS = [APPLICATIONS, ENDPOINTS];
