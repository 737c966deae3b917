import { tenantTable } from '@switchyard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const QUEUE_SETTINGS = 'set (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0)';

export class CreateJobs1700000000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await tenantTable(
      runner,
      'jobs',
      `type text not null check (type in ('AGENT_INVOKE')),
       agent_id uuid not null,
       input jsonb not null,
       phase text not null check (phase in
         ('QUEUED', 'RUNNING', 'RETRYING', 'WAITING_INPUT', 'CANCELLING', 'SUCCEEDED', 'FAILED', 'CANCELLED', 'TIMED_OUT')),
       progress double precision not null default 0 check (progress between 0 and 100),
       progress_message text,
       result jsonb,
       error jsonb,
       attempt int not null default 0,
       next_attempt int not null default 1,
       max_attempts int not null,
       turns int not null default 0,
       turn_id uuid,
       interaction jsonb,
       priority int not null,
       timeout_seconds int not null,
       callback_url text,
       metadata jsonb not null,
       created_by uuid not null,
       scopes text[] not null,
       credential_id text,
       credential_type text not null,
       causation_id uuid,
       correlation_id uuid,
       depth int not null,
       run_at timestamptz not null default clock_timestamp(),
       worker text,
       epoch int not null default 0,
       lease_until timestamptz,
       takeovers int not null default 0,
       deadline_at timestamptz,
       waiting_since timestamptz,
       heartbeat_at timestamptz,
       cancel_requested_at timestamptz,
       created_at timestamptz not null default clock_timestamp(),
       started_at timestamptz,
       finished_at timestamptz,
       check (result is null or error is null)`,
    );
    await runner.query(`alter table jobs ${QUEUE_SETTINGS}`);
    await runner.query('create index jobs_of_maker on jobs (space_id, created_by, id)');
    await runner.query(
      `create index jobs_queued on jobs (space_id, priority desc, id) where phase in ('QUEUED', 'RETRYING')`,
    );
    await runner.query(`create index jobs_busy on jobs (space_id) where phase in ('RUNNING', 'CANCELLING')`);
    await runner.query(
      `create index jobs_loose on jobs (run_at) where worker is null and phase in ('RUNNING', 'CANCELLING', 'WAITING_INPUT')`,
    );
    await runner.query(`create index jobs_leased on jobs (lease_until) where worker is not null`);
    await runner.query(
      `create index jobs_deadline on jobs (deadline_at) where phase in ('RUNNING', 'RETRYING', 'CANCELLING')`,
    );
    await tenantTable(
      runner,
      'callbacks',
      `job_id uuid not null,
       url text not null,
       body text not null,
       attempts int not null default 0,
       due_at timestamptz not null default clock_timestamp(),
       last_result text,
       delivered_at timestamptz,
       given_up_at timestamptz,
       created_at timestamptz not null default clock_timestamp(),
       foreign key (space_id, job_id) references jobs (space_id, id) on delete cascade`,
    );
    // One callback for each end, and a job ends once.
    await runner.query('create unique index callbacks_job on callbacks (space_id, job_id)');
    await runner.query(
      'create index callbacks_due on callbacks (due_at) where delivered_at is null and given_up_at is null',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table callbacks, jobs');
  }
}
