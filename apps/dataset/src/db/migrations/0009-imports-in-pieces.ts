import {
  alterBriefly,
  asOwner,
  buildIndexes,
  changeBriefly,
  OnlineMigration,
  protectTable,
} from '@switchyard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const PHASES = ['STAGING', 'QUEUED', 'RUNNING', 'WRITING', 'UNDOING', 'SUCCEEDED', 'FAILED', 'CANCELLED'];

/**
 * Large imports are written in many transactions. Their records name the import, and nobody sees them as long as it
 * stands in `hidden_imports`. Processes of the version before leave the phases WRITING and UNDOING alone.
 */
export class ImportInPieces1700000000009 extends OnlineMigration implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await changeBriefly(runner, () => hideImports(runner));
    await alterBriefly(
      runner,
      'alter table datasets add column if not exists has_pieces boolean not null default false',
    );
    await changeBriefly(runner, () => nameImportsInNewTables(runner));
    await asOwner(runner, ['datasets'], () => nameImportsInTables(runner));
    await alterBriefly(
      runner,
      `alter table imports
         add column if not exists piece int not null default 0, add column if not exists has_parts boolean not null default false,
         drop constraint if exists imports_phase_check`,
    );
    await alterBriefly(
      runner,
      `alter table imports drop constraint if exists imports_phases,
         add constraint imports_phases check (phase in (${PHASES.map((phase) => `'${phase}'`).join(', ')})) not valid`,
    );
    await buildIndexes(runner, {
      imports_waiting: `on imports (due_at) where phase in ('QUEUED', 'RUNNING', 'WRITING', 'UNDOING')`,
      imports_with_parts: `on imports (space_id, id) where has_parts`,
      imports_staged: `on imports (touched_at) where phase = 'STAGING'`,
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index imports_waiting, imports_with_parts, imports_staged');
    await runner.query('alter table imports drop constraint imports_phases, drop column piece, drop column has_parts');
    await runner.query('drop table hidden_imports');
  }
}

async function hideImports(runner: QueryRunner): Promise<void> {
  const [row] = (await runner.query(`select to_regclass('hidden_imports') is not null as there`)) as {
    there: boolean;
  }[];
  if (row?.there === true) return;
  await runner.query(`
    create table hidden_imports (
      space_id uuid not null, dataset_id uuid not null, import_id uuid not null,
      primary key (space_id, dataset_id, import_id),
      foreign key (space_id, dataset_id) references datasets (space_id, id) on delete cascade
    )`);
  await protectTable(runner, 'hidden_imports');
}

/** `make_record_table` as it is, with the new column. */
async function nameImportsInNewTables(runner: QueryRunner): Promise<void> {
  const [found] = (await runner.query(
    `select pg_get_functiondef('make_record_table(uuid, jsonb)'::regprocedure) as source`,
  )) as {
    source: string;
  }[];
  const source = found?.source ?? '';
  if (source.includes('import_id')) return;
  // Datasets that are being made get their table from the function before: they end first.
  await runner.query('lock table datasets in share row exclusive mode');
  await runner.query(
    source.replace('nulls smallint[], words tsvector', 'nulls smallint[], words tsvector, import_id uuid'),
  );
}

/** One table after the other, each in a moment of its own. */
async function nameImportsInTables(runner: QueryRunner): Promise<void> {
  const tables = (await runner.query(`
    select quote_ident(c.relname) as name from pg_class c
    where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace and c.relname ~ '^ds_[0-9a-f]{32}$'
      and not exists (select 1 from pg_attribute a where a.attrelid = c.oid and a.attname = 'import_id' and not a.attisdropped)`)) as {
    name: string;
  }[];
  for (const { name } of tables)
    await alterBriefly(runner, `alter table if exists ${name} add column if not exists import_id uuid`);
}
