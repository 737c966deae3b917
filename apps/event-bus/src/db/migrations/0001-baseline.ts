import {
  Baseline,
  createActivityTables,
  createIndexes,
  createOversizedMark,
  messagingTables,
  tenantTable,
  type WeighedTable,
} from '@switchyard/database';
import type { QueryRunner } from 'typeorm';
import { EMISSION_ACTIVITY } from '../emission-activity';

const KIB = 1024;
/** The limits in 0.1.0. */
const APPLICATIONS: WeighedTable = {
  table: 'applications',
  columns: ['manifest'],
  fields: [{ path: 'manifest', value: 'manifest', limit: KIB * KIB }],
};
/** Without its filter, which is too large to be read, an event is emitted for no row of its dataset. */
const EVENTS: WeighedTable = {
  table: 'registered_events',
  columns: ['emit_on'],
  fields: [{ path: 'emitOn.filter', value: `emit_on -> 'filter'`, limit: 16 * KIB }],
  whenFar: { emit_on: 'null', emit_dataset: 'null' },
};
const SUBSCRIPTIONS: WeighedTable = {
  table: 'subscriptions',
  columns: ['filter'],
  fields: [{ path: 'filter', value: 'filter', limit: 16 * KIB }],
  whenFar: { active: 'false' },
};

/** All tables of the service, as of 0.1.0. */
export class EventBusBaseline1700000001000 extends Baseline {
  static readonly replaces = 'MarkOversizedManifests1700000000014';

  async up(runner: QueryRunner): Promise<void> {
    await messagingTables(runner);
    await applications(runner);
    await events(runner);
    await emissions(runner);
    await deliveries(runner);
  }
}

/** Applications, and changes of them that are in progress: one at a time for each. */
async function applications(runner: QueryRunner): Promise<void> {
  await tenantTable(
    runner,
    'applications',
    `identifier text not null,
     name text not null,
     version text not null,
     manifest jsonb not null,
     revision int not null default 1,
     system_key_id uuid,
     installed_by uuid,
     created_at timestamptz not null default clock_timestamp(),
     updated_at timestamptz not null default clock_timestamp(),
     oversized jsonb,
     unique (space_id, identifier)`,
  );
  await createOversizedMark(runner, APPLICATIONS);
  await tenantTable(
    runner,
    'application_changes',
    `application_id uuid not null,
     started_at timestamptz not null default clock_timestamp(),
     identifier text,
     kind text not null default 'upgrade' check (kind in ('install', 'upgrade', 'uninstall', 'rotate')),
     attempt int not null default 0,
     actor jsonb,
     watches jsonb not null default '[]'`,
  );
  await createIndexes(runner, {
    application_changes_one_at_a_time: 'unique on application_changes (space_id, identifier)',
    application_changes_started: 'on application_changes (started_at)',
  });
}

/**
 * A row stays after its application: the same name registered again is the same event, and its subscriptions are active
 * again.
 */
async function events(runner: QueryRunner): Promise<void> {
  await tenantTable(
    runner,
    'registered_events',
    `application_id uuid,
     app_identifier text not null,
     name text not null,
     description text,
     schema jsonb not null,
     schema_fingerprint text not null,
     emit_on jsonb,
     emit_dataset uuid,
     active boolean not null,
     subscriptions_revision int not null default 0,
     created_at timestamptz not null default clock_timestamp(),
     updated_at timestamptz not null default clock_timestamp(),
     emit_types jsonb,
     oversized jsonb,
     unique (space_id, app_identifier, name)`,
  );
  await createIndexes(runner, {
    registered_events_dataset:
      'on registered_events (space_id, emit_dataset) where active and emit_dataset is not null',
  });
  await createOversizedMark(runner, EVENTS);
  await tenantTable(
    runner,
    'subscriptions',
    `event_id uuid not null,
     task_id uuid not null,
     filter jsonb,
     active boolean not null,
     origin text not null check (origin in ('DEFAULT', 'USER')),
     default_key text,
     brings_task boolean not null default false,
     created_by uuid,
     created_at timestamptz not null default clock_timestamp(),
     updated_at timestamptz not null default clock_timestamp(),
     oversized jsonb,
     foreign key (space_id, event_id) references registered_events (space_id, id)`,
  );
  await createIndexes(runner, {
    subscriptions_event: 'on subscriptions (space_id, event_id)',
    subscriptions_task: 'on subscriptions (space_id, task_id)',
  });
  await createOversizedMark(runner, SUBSCRIPTIONS);
}

/** Pending rows are read again and again: an eager vacuum keeps their index small. */
async function emissions(runner: QueryRunner): Promise<void> {
  await tenantTable(
    runner,
    'emissions',
    `seq bigint generated always as identity,
     lane smallint not null,
     app_identifier text not null,
     event text not null,
     event_id uuid not null,
     payload jsonb not null,
     source text not null,
     status text not null check (status in ('PENDING', 'DISPATCHED', 'SKIPPED', 'FAILED')),
     matched_subscriptions int not null default 0,
     idempotency_key text,
     fingerprint text,
     actor_user_id uuid,
     causation_id uuid,
     correlation_id uuid not null,
     depth int not null,
     attempts int not null default 0,
     replays int not null default 0,
     error jsonb,
     emitted_at timestamptz not null,
     next_attempt_at timestamptz not null default clock_timestamp(),
     dispatched_at timestamptz,
     payload_bytes int not null default 0,
     parent text,
     root uuid,
     constraint emissions_sources check (source in ('datasource', 'app', 'system', 'user'))`,
  );
  await runner.query(
    `alter table emissions set (fillfactor = 85, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0)`,
  );
  await createIndexes(runner, {
    emissions_age: `on emissions using brin (emitted_at) with (autosummarize = on)`,
    emissions_chain: 'on emissions (space_id, correlation_id, id) where depth > 0',
    emissions_event: 'on emissions (space_id, event, id)',
    emissions_key:
      'unique on emissions (space_id, app_identifier, event, idempotency_key) where idempotency_key is not null',
    emissions_of_space: 'on emissions (space_id, status, emitted_at, id)',
    emissions_of_user: 'on emissions (space_id, actor_user_id, status, emitted_at, id) where actor_user_id is not null',
    emissions_pending: `on emissions (lane, seq) where status = 'PENDING'`,
    emissions_pending_of_space: `on emissions (lane, space_id, seq) where status = 'PENDING'`,
    emissions_root: 'on emissions (space_id, root) where root is not null',
    emissions_stopped: `on emissions (space_id, status, id) where status in ('SKIPPED', 'FAILED')`,
  });
  await createActivityTables(runner, EMISSION_ACTIVITY);
}

/** Triggers of tasks, and how many runs a root emission has led to. */
async function deliveries(runner: QueryRunner): Promise<void> {
  await tenantTable(
    runner,
    'deliveries',
    `envelope_id uuid not null,
     subscription_id uuid not null,
     task_id uuid not null,
     replay int not null,
     status text not null default 'PENDING' check (status in ('PENDING', 'TRIGGERED', 'SKIPPED', 'FAILED')),
     execution_id uuid,
     created_at timestamptz not null default clock_timestamp(),
     settled_at timestamptz,
     constraint deliveries_once unique (space_id, envelope_id, subscription_id, replay)`,
  );
  await runner.query(`alter table deliveries set (fillfactor = 85)`);
  await tenantTable(runner, 'root_budgets', 'runs int not null');
}
