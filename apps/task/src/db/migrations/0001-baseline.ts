import {
  Baseline,
  clockTables,
  createActivityTables,
  createIndexes,
  createOversizedMark,
  messagingTables,
  protectTable,
  readySpacesTable,
  tenantTable,
  type WeighedTable,
} from '@switchyard/database';
import type { QueryRunner } from 'typeorm';
import { EXECUTION_ACTIVITY } from '../execution-activity';

const KIB = 1024;
/** The limits in 0.1.0. */
const TASKS: WeighedTable = {
  table: 'tasks',
  columns: ['steps', 'inputs', 'metadata'],
  fields: [
    { path: 'steps', value: 'steps', limit: 256 * KIB },
    { path: 'inputs', value: 'inputs', limit: 64 * KIB },
    { path: 'metadata', value: 'metadata', limit: 16 * KIB },
  ],
  whenFar: { active: 'false', next_run_at: 'null' },
};

/** All tables of the service, as of 0.1.0. */
export class TaskBaseline1700000001000 extends Baseline {
  static readonly replaces = 'MovedClocks1700000000017';

  async up(runner: QueryRunner): Promise<void> {
    await messagingTables(runner);
    await tasks(runner);
    await secretNames(runner);
    await executions(runner);
    await steps(runner);
    await clockTables(runner);
  }
}

/** Runs act with the `scopes` of their task and count in the limits of `key_id`, the API key that saved it. */
async function tasks(runner: QueryRunner): Promise<void> {
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
     deleted_at timestamptz,
     secret_names text[],
     scopes text[],
     key_id text,
     oversized jsonb`,
  );
  await createIndexes(runner, {
    tasks_deleted: 'on tasks (deleted_at) where deleted_at is not null and application_id is null',
    tasks_due: 'on tasks (next_run_at) where next_run_at is not null',
    tasks_of_a_secret: `on tasks using gin (secret_names) where secret_names <> '{}'::text[]`,
  });
  await createOversizedMark(runner, TASKS);
}

/** Names of secrets in the steps of a task. */
async function secretNames(runner: QueryRunner): Promise<void> {
  const [row] = (await runner.query('select quote_ident(current_schema()) as schema')) as { schema: string }[];
  const schema = row?.schema ?? 'public';
  await runner.query(`
    create function secret_names_of(steps jsonb) returns text[] language sql immutable parallel safe as $$
      select coalesce(array_agg(distinct found[1]), '{}')
      from regexp_matches(steps::text, '\\{\\{ *secrets\\.([A-Za-z][A-Za-z0-9_]*) *\\}\\}', 'g') found
    $$`);
  await runner.query(`
    create function keep_secret_names() returns trigger language plpgsql as $$
    begin
      new.secret_names := ${schema}.secret_names_of(new.steps);
      return new;
    end $$`);
  await runner.query(
    `create trigger keep_secret_names before insert or update of steps on tasks
       for each row execute function keep_secret_names()`,
  );
}

/**
 * Executions with their queue. Once per event and per due time: `executions_delivery` and `executions_slot`. They refer
 * to their task without a foreign key, whose check would lock the row of the task for each execution: a task is marked
 * as deleted and its row stays. `bytes` limits how many executions a worker claims at once by its memory.
 */
async function executions(runner: QueryRunner): Promise<void> {
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
     rerun_of uuid,
     parent text,
     waiting_turn uuid,
     looks int not null default 0,
     scopes text[],
     root uuid,
     bytes int not null default 0,
     key_id text,
     lost_at timestamptz,
     taken_at timestamptz`,
  );
  await runner.query(
    `alter table executions set (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0)`,
  );
  await createIndexes(runner, {
    executions_age: `on executions using brin (created_at) with (autosummarize = on)`,
    executions_chain: 'on executions (space_id, correlation_id, id) where correlation_id <> id',
    executions_deadline: `on executions (deadline_at) where status = 'RUNNING'`,
    executions_delivery: 'unique on executions (space_id, delivery_id) where delivery_id is not null',
    executions_leased: `on executions (lease_until) where status = 'RUNNING' and worker is not null`,
    executions_of_space: 'on executions (space_id, kind, status, created_at, id)',
    executions_of_task: 'on executions (space_id, task_id, kind, status, created_at, id)',
    executions_of_turn: 'on executions (space_id, waiting_turn) where waiting_turn is not null',
    executions_of_user: 'on executions (space_id, requested_by, status, created_at, id) where requested_by is not null',
    executions_parked: `on executions (run_at) where status = 'RUNNING' and worker is null`,
    executions_queued: `on executions (space_id, task_id, run_at, id) where status = 'QUEUED'`,
    executions_root: 'on executions (space_id, root) where root is not null',
    executions_running: `on executions (space_id, task_id) where status = 'RUNNING'`,
    executions_slot: 'unique on executions (space_id, task_id, slot) where slot is not null',
    executions_to_stop: 'on executions (finished_at) where waiting_turn is not null and finished_at is not null',
  });
  await readySpacesTable(runner, { table: 'executions', status: 'status', queued: ['QUEUED'], busy: ['RUNNING'] });
  // With a higher limit of a task, its Space may have something to run.
  await runner.query(
    `create trigger ready_when_limit_changed after update of concurrency_limit on tasks for each row
       when (new.concurrency_limit > old.concurrency_limit) execute function mark_space_unblocked()`,
  );
  await createActivityTables(runner, EXECUTION_ACTIVITY);
}

/** Steps are deleted in the statement that deletes their execution. */
async function steps(runner: QueryRunner): Promise<void> {
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
      bytes int not null default 0,
      primary key (space_id, execution_id, step_id)
    ) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0)`);
  await protectTable(runner, 'execution_steps');
}
