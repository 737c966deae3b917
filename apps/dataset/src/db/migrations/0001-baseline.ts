import { Baseline, createIndexes, createWeeks, messagingTables, protectTable, tenantTable } from '@switchyard/database';
import type { QueryRunner } from 'typeorm';
import { RECORD_WRITES } from '../record-writes.repository';
import { recordTables } from './record-tables';
import { spacedText } from './spaced-text';
import { vectorTables } from './vector-tables';

/** All tables of the service, as of 0.1.0. */
export class DatasetBaseline1700000001000 extends Baseline {
  static readonly replaces = 'ImportEpochs1700000000019';

  async up(runner: QueryRunner): Promise<void> {
    await messagingTables(runner);
    await datasets(runner);
    await imports(runner);
    await recordVectors(runner);
    await recordTables(runner);
    await spacedText(runner);
    await vectorTables(runner);
    await recordWrites(runner);
  }
}

/**
 * `bytes` of the records count in the quota of the Space. `largest` is the size of the largest record ever written: if a
 * page of such records fits into one answer, it is read without adding up sizes.
 */
async function datasets(runner: QueryRunner): Promise<void> {
  await tenantTable(
    runner,
    'datasets',
    `name text not null,
     description text,
     schema jsonb not null,
     version int not null default 1,
     announced bigint not null default 0,
     created_by uuid,
     created_at timestamptz not null default clock_timestamp(),
     updated_at timestamptz not null default clock_timestamp(),
     has_pieces boolean not null default false`,
  );
  await runner.query(`
    create table dataset_counts (
      space_id uuid not null,
      dataset_id uuid not null,
      slot smallint not null,
      records bigint not null,
      bytes bigint not null default 0,
      largest int,
      primary key (space_id, dataset_id, slot),
      foreign key (space_id, dataset_id) references datasets (space_id, id) on delete cascade
    ) with (fillfactor = 50)`);
  await protectTable(runner, 'dataset_counts');
  await runner.query(`
    create function largest_record(space uuid, dataset uuid) returns int
    language plpgsql stable parallel safe as $$
    begin
      return (select coalesce(max(coalesce(n.largest, 2147483647)), 0) from dataset_counts n
        where n.space_id = space and n.dataset_id = dataset);
    end $$`);
  await runner.query(`
    create table dataset_watches (
      space_id uuid not null,
      dataset_id uuid not null,
      watcher_id uuid not null,
      operations text[] not null,
      primary key (space_id, dataset_id, watcher_id),
      foreign key (space_id, dataset_id) references datasets (space_id, id) on delete cascade
    )`);
  await protectTable(runner, 'dataset_watches');
}

/**
 * Large imports are written in several transactions. Their records have the id of the import, and are hidden while it is in
 * `hidden_imports`. `epoch` counts the claims: a worker that claims an import again does not continue its earlier attempt.
 */
async function imports(runner: QueryRunner): Promise<void> {
  await tenantTable(
    runner,
    'imports',
    `dataset_id uuid not null,
     format text not null,
     parts int not null default 0,
     staged bigint not null default 0,
     created_at timestamptz not null default clock_timestamp(),
     phase text not null default 'STAGING',
     bytes bigint not null default 0,
     written bigint not null default 0,
     error jsonb,
     attempts int not null default 0,
     worker text,
     due_at timestamptz not null default clock_timestamp(),
     cancel_requested_at timestamptz,
     created_by uuid,
     touched_at timestamptz not null default clock_timestamp(),
     started_at timestamptz,
     finished_at timestamptz,
     piece int not null default 0,
     has_parts boolean not null default false,
     hidden_at timestamptz,
     epoch int not null default 0,
     constraint imports_phases check (phase in ('STAGING', 'QUEUED', 'RUNNING', 'WRITING', 'UNDOING', 'SUCCEEDED', 'FAILED', 'CANCELLED'))`,
  );
  await createIndexes(runner, {
    imports_age: 'on imports (space_id, created_at)',
    imports_due: `on imports (due_at) where phase in ('QUEUED', 'RUNNING')`,
    imports_of_dataset: 'on imports (space_id, dataset_id, id)',
    imports_open: `on imports (space_id) where phase in ('STAGING', 'QUEUED', 'RUNNING', 'WRITING', 'UNDOING')`,
    imports_running: `on imports (space_id) where phase in ('RUNNING', 'WRITING', 'UNDOING')`,
    imports_staged: `on imports (touched_at) where phase = 'STAGING'`,
    imports_waiting: `on imports (due_at) where phase in ('QUEUED', 'RUNNING', 'WRITING', 'UNDOING')`,
    imports_with_parts: 'on imports (space_id, id) where has_parts',
  });
  await runner.query(`
    create table import_parts (
      space_id uuid not null,
      import_id uuid not null,
      part int not null,
      rows jsonb not null,
      primary key (space_id, import_id, part),
      foreign key (space_id, import_id) references imports (space_id, id) on delete cascade
    )`);
  await protectTable(runner, 'import_parts');
  await runner.query(`
    create table hidden_imports (
      space_id uuid not null,
      dataset_id uuid not null,
      import_id uuid not null,
      primary key (space_id, dataset_id, import_id),
      foreign key (space_id, dataset_id) references datasets (space_id, id) on delete cascade
    )`);
  await protectTable(runner, 'hidden_imports');
}

/** A row for each text that vector search can find: first a queue of texts to embed, then their vectors. */
async function recordVectors(runner: QueryRunner): Promise<void> {
  await runner.query(`
    create table record_vectors (
      space_id uuid not null,
      dataset_id uuid not null,
      record_id uuid not null,
      field smallint not null,
      state text not null default 'PENDING' check (state in ('PENDING', 'READY', 'FAILED', 'GONE')),
      revision int not null default 0,
      attempts int not null default 0,
      due_at timestamptz not null default clock_timestamp(),
      actor uuid,
      vector bytea,
      changed_in xid8 not null default pg_current_xact_id(),
      error jsonb,
      worker text,
      losses smallint not null default 0,
      lost_at timestamptz,
      primary key (space_id, dataset_id, record_id, field),
      foreign key (space_id, dataset_id) references datasets (space_id, id) on delete cascade
    ) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05)`);
  await protectTable(runner, 'record_vectors');
  await createIndexes(runner, {
    record_vectors_changed: `on record_vectors (space_id, dataset_id, changed_in) where state in ('READY', 'GONE')`,
    record_vectors_claimed: 'on record_vectors (worker) where worker is not null',
    record_vectors_due: `on record_vectors (space_id, dataset_id, due_at) where state = 'PENDING'`,
    record_vectors_failing: `on record_vectors (space_id, dataset_id, record_id, field) where (state = 'FAILED' or (state = 'PENDING' and attempts >= 3))`,
    record_vectors_oldest: `on record_vectors (due_at) where state = 'PENDING'`,
    record_vectors_suspect: `on record_vectors (due_at) where losses > 0 and state = 'PENDING'`,
    record_vectors_turn: `on record_vectors (space_id, due_at) where state = 'PENDING'`,
  });
  await runner.query('alter table record_vectors alter column vector set storage external');
}

/** Writes of runs, for the tree of causes; partitioned by week. */
async function recordWrites(runner: QueryRunner): Promise<void> {
  await runner.query(`
    create table record_writes (
      space_id uuid not null,
      id uuid not null,
      dataset_id uuid not null,
      operation text not null check (operation in ('insert', 'update', 'delete')),
      records int not null,
      user_id uuid,
      parent text not null,
      root uuid not null,
      correlation_id uuid,
      created_at timestamptz not null default clock_timestamp(),
      primary key (space_id, id)
    ) partition by range (id)`);
  await protectTable(runner, 'record_writes');
  await createIndexes(runner, {
    record_writes_age: 'on record_writes using brin (created_at) with (autosummarize = on)',
    record_writes_chain: 'on record_writes (space_id, correlation_id) where correlation_id is not null',
    record_writes_root: 'on record_writes (space_id, root)',
  });
  await createWeeks(runner, RECORD_WRITES);
}
