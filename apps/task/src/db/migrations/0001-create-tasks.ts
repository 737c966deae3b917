import { protectTable, tenantTable } from '@switchyard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const QUEUE_SETTINGS = 'set (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0)';

export class CreateTasks1700000000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await tenantTable(
      runner,
      'tasks',
      `name text not null,
       description text,
       type text not null check (type in ('MANUAL', 'SCHEDULE', 'EVENT')),
       active boolean not null,
       owner_id uuid,
       steps jsonb not null,
       inputs jsonb not null,
       schedule jsonb,
       next_run_at timestamptz,
       next_look_at timestamptz,
       concurrency_limit int not null,
       concurrency_policy text not null check (concurrency_policy in ('QUEUE', 'SKIP')),
       retry jsonb not null,
       timeout_seconds int not null,
       metadata jsonb not null,
       version int not null default 1,
       application_id uuid,
       default_revision int,
       created_at timestamptz not null default clock_timestamp(),
       updated_at timestamptz not null default clock_timestamp(),
       deleted_at timestamptz`,
    );
    await runner.query('create index tasks_due on tasks (next_run_at) where next_run_at is not null');
    await tenantTable(
      runner,
      'executions',
      `task_id uuid not null,
       task_version int not null,
       kind text not null check (kind in ('MANUAL', 'SCHEDULE', 'EVENT')),
       status text not null check (status in ('QUEUED', 'RUNNING', 'SUCCEEDED', 'FAILED', 'CANCELLED', 'TIMED_OUT', 'SKIPPED')),
       steps jsonb not null,
       inputs jsonb not null,
       output jsonb,
       error jsonb,
       attempt int not null default 1,
       max_attempts int not null,
       last_attempt int not null,
       backoff_seconds double precision not null,
       timeout_seconds int not null,
       owner_id uuid,
       requested_by uuid,
       causation_id uuid,
       correlation_id uuid,
       depth int not null,
       delivery_id uuid,
       slot timestamptz,
       run_at timestamptz not null default clock_timestamp(),
       worker text,
       epoch int not null default 0,
       lease_until timestamptz,
       takeovers int not null default 0,
       deadline_at timestamptz,
       created_at timestamptz not null default clock_timestamp(),
       started_at timestamptz,
       finished_at timestamptz,
       foreign key (space_id, task_id) references tasks (space_id, id)`,
    );
    await runner.query(`alter table executions ${QUEUE_SETTINGS}`);
    // The two promises of "once": one execution per delivery of an event, one per due time of a schedule.
    await runner.query(
      'create unique index executions_delivery on executions (space_id, delivery_id) where delivery_id is not null',
    );
    await runner.query(
      'create unique index executions_slot on executions (space_id, task_id, slot) where slot is not null',
    );
    await runner.query('create index executions_list on executions (space_id, task_id, id)');
    await runner.query(
      `create index executions_queued on executions (space_id, task_id, run_at, id) where status = 'QUEUED'`,
    );
    await runner.query(`create index executions_running on executions (space_id, task_id) where status = 'RUNNING'`);
    await runner.query(
      `create index executions_parked on executions (run_at) where status = 'RUNNING' and worker is null`,
    );
    await runner.query(
      `create index executions_leased on executions (lease_until) where status = 'RUNNING' and worker is not null`,
    );
    await runner.query(`create index executions_deadline on executions (deadline_at) where status = 'RUNNING'`);
    await runner.query(`
      create table execution_steps (
        space_id uuid not null,
        execution_id uuid not null,
        step_id text not null,
        status text not null check (status in ('PENDING', 'RUNNING', 'SUCCEEDED', 'FAILED', 'SKIPPED', 'CANCELLED')),
        attempt int not null,
        tries int not null,
        outages int not null,
        input jsonb,
        output jsonb,
        error jsonb,
        started_at timestamptz,
        finished_at timestamptz,
        primary key (space_id, execution_id, step_id),
        foreign key (space_id, execution_id) references executions (space_id, id) on delete cascade
      )`);
    await runner.query(`alter table execution_steps ${QUEUE_SETTINGS}`);
    await protectTable(runner, 'execution_steps');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table execution_steps, executions, tasks');
  }
}
