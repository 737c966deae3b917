import { tenantTable } from '@switchyard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Rows that wait for their dispatch are read again and again: an eager vacuum keeps that index small. */
const QUEUE_SETTINGS = 'set (fillfactor = 85, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0)';

export class CreateEmissions1700000000002 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await tenantTable(
      runner,
      'emissions',
      `seq bigint generated always as identity,
       lane smallint not null,
       app_identifier text not null,
       event text not null,
       event_id uuid not null,
       payload jsonb not null,
       source text not null check (source in ('datasource', 'app', 'system')),
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
       dispatched_at timestamptz`,
    );
    await runner.query(`alter table emissions ${QUEUE_SETTINGS}`);
    await runner.query(
      `create unique index emissions_key on emissions (space_id, app_identifier, event, idempotency_key)
        where idempotency_key is not null`,
    );
    await runner.query(`create index emissions_pending on emissions (lane, seq) where status = 'PENDING'`);
    await runner.query('create index emissions_event on emissions (space_id, event, id)');
    await runner.query(
      `create index emissions_stopped on emissions (space_id, status, id) where status in ('SKIPPED', 'FAILED')`,
    );
    await runner.query('create index emissions_chain on emissions (space_id, correlation_id, id) where depth > 0');
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
    await runner.query('alter table deliveries set (fillfactor = 85)');
    // How many runs a root emission has led to. A row appears with the first emission of a run.
    await tenantTable(runner, 'root_budgets', 'runs int not null');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table root_budgets, deliveries, emissions');
  }
}
