import {
  Baseline,
  clockTables,
  createActivityTables,
  createIndexes,
  messagingTables,
  readySpacesTable,
  tenantTable,
} from '@switchyard/database';
import type { QueryRunner } from 'typeorm';
import { JOB_ACTIVITY } from '../job-activity';

/** All tables of the service, as of 0.1.0. */
export class JobBaseline1700000001000 extends Baseline {
  static readonly replaces = 'MovedClocks1700000000010';

  async up(runner: QueryRunner): Promise<void> {
    await messagingTables(runner);
    await jobs(runner);
    await callbacks(runner);
    await clockTables(runner);
  }
}

/** Jobs with their queue. `bytes` limits how many jobs a worker claims at once by its memory. */
async function jobs(runner: QueryRunner): Promise<void> {
  await tenantTable(
    runner,
    'jobs',
    `type text not null check (type in ('AGENT_INVOKE')),
     agent_id uuid not null,
     input jsonb not null,
     phase text not null check (phase in ('QUEUED', 'RUNNING', 'RETRYING', 'WAITING_INPUT', 'CANCELLING', 'SUCCEEDED', 'FAILED', 'CANCELLED', 'TIMED_OUT')),
     progress double precision not null default 0 check ((progress >= (0)::double precision) and (progress <= (100)::double precision)),
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
     looks int not null default 0,
     bytes int not null default 0,
     lost_at timestamptz,
     taken_at timestamptz,
     check (result is null or error is null)`,
  );
  await runner.query(
    `alter table jobs set (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0)`,
  );
  await createIndexes(runner, {
    jobs_age: `on jobs using brin (created_at) with (autosummarize = on)`,
    jobs_busy: `on jobs (space_id) where phase in ('RUNNING', 'CANCELLING')`,
    jobs_chain: 'on jobs (space_id, correlation_id) where correlation_id is not null',
    jobs_deadline: `on jobs (deadline_at) where phase in ('RUNNING', 'RETRYING', 'CANCELLING')`,
    jobs_leased: 'on jobs (lease_until) where worker is not null',
    jobs_loose: `on jobs (run_at) where worker is null and phase in ('RUNNING', 'CANCELLING', 'WAITING_INPUT')`,
    jobs_of_maker: 'on jobs (space_id, created_by, id)',
    jobs_of_space: 'on jobs (space_id, phase, created_at, id)',
    jobs_of_turn: `on jobs (space_id, turn_id) where worker is null and phase in ('RUNNING', 'CANCELLING', 'WAITING_INPUT')`,
    jobs_of_user: 'on jobs (space_id, created_by, phase, created_at, id)',
    jobs_queued: `on jobs (space_id, priority desc, id) where phase in ('QUEUED', 'RETRYING')`,
  });
  // Workers find Spaces with something to run without a look at all others.
  await readySpacesTable(runner, {
    table: 'jobs',
    status: 'phase',
    queued: ['QUEUED', 'RETRYING'],
    busy: ['RUNNING', 'CANCELLING'],
  });
  await createActivityTables(runner, JOB_ACTIVITY);
}

/** A job ends once, and each end has one callback. */
async function callbacks(runner: QueryRunner): Promise<void> {
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
  await createIndexes(runner, {
    callbacks_due: 'on callbacks (due_at) where delivered_at is null and given_up_at is null',
    callbacks_job: 'unique on callbacks (space_id, job_id)',
    callbacks_of_spaces: 'on callbacks (space_id, due_at) where delivered_at is null and given_up_at is null',
  });
}
