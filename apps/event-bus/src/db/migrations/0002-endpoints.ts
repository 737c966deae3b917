import { createIndexes, tenantTable } from '@switchyard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Endpoints, their deliveries, and subscriptions that name an endpoint in place of a task. */
export class Endpoints1700000002000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await endpoints(runner);
    await endpointDeliveries(runner);
    await runner.query(
      `alter table subscriptions alter column task_id drop not null, add column endpoint_id uuid,
         add constraint subscriptions_target_check check (num_nonnulls(task_id, endpoint_id) = 1) not valid`,
    );
    await runner.query('alter table subscriptions validate constraint subscriptions_target_check');
    await createIndexes(runner, {
      subscriptions_endpoint: 'on subscriptions (space_id, endpoint_id) where endpoint_id is not null',
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('delete from subscriptions where endpoint_id is not null');
    await runner.query('alter table subscriptions drop column endpoint_id, alter column task_id set not null');
    await runner.query('drop table endpoint_deliveries');
    await runner.query('drop table endpoints');
  }
}

/** Secrets and headers are sealed. */
async function endpoints(runner: QueryRunner): Promise<void> {
  await tenantTable(
    runner,
    'endpoints',
    `name text not null,
     transport text not null default 'http' check (transport in ('http', 'nats')),
     url text,
     headers text,
     secret_names jsonb not null default '[]',
     in_flight int not null,
     active boolean not null,
     status text not null default 'HEALTHY' check (status in ('HEALTHY', 'FAILING', 'DISABLED')),
     failing_reason text,
     failing_since timestamptz,
     last_success_at timestamptz,
     secret text not null,
     old_secret text,
     old_secret_until timestamptz,
     tests int not null default 0,
     tests_since timestamptz,
     created_by uuid,
     created_at timestamptz not null default clock_timestamp(),
     updated_at timestamptz not null default clock_timestamp(),
     unique (space_id, name)`,
  );
}

/** Rows that wait are read again and again: an eager vacuum keeps their indexes small. */
async function endpointDeliveries(runner: QueryRunner): Promise<void> {
  await tenantTable(
    runner,
    'endpoint_deliveries',
    `envelope_id uuid not null,
     endpoint_id uuid not null,
     subscription_id uuid,
     event text not null,
     emitted_at timestamptz not null,
     replay int not null,
     bytes int not null,
     status text not null check (status in ('PENDING', 'DELIVERED', 'FAILED', 'DISCARDED')),
     error text,
     attempt_count int not null default 0,
     attempts jsonb not null default '[]',
     run_at timestamptz not null default clock_timestamp(),
     worker text,
     lease_until timestamptz,
     taken_at timestamptz,
     lost_at timestamptz,
     takeovers int not null default 0,
     created_at timestamptz not null default clock_timestamp(),
     settled_at timestamptz,
     constraint endpoint_deliveries_once unique (space_id, envelope_id, endpoint_id, replay)`,
  );
  await runner.query(
    `alter table endpoint_deliveries set (fillfactor = 85, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0)`,
  );
  await createIndexes(runner, {
    endpoint_deliveries_due: `on endpoint_deliveries (space_id, endpoint_id, run_at) where status = 'PENDING' and worker is null`,
    endpoint_deliveries_leased: `on endpoint_deliveries (space_id, endpoint_id) where worker is not null`,
    endpoint_deliveries_open: `on endpoint_deliveries (space_id, endpoint_id, id) include (bytes) where status = 'PENDING'`,
    endpoint_deliveries_listed: 'on endpoint_deliveries (space_id, endpoint_id, id)',
    endpoint_deliveries_by_status: 'on endpoint_deliveries (space_id, endpoint_id, status, id)',
  });
}
