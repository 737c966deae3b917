import { protectTable, tenantTable } from '@switchyard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Datasets1700000000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await tenantTable(
      runner,
      'datasets',
      `name text not null, description text, schema jsonb not null, version int not null default 1,
       announced bigint not null default 0, created_by uuid,
       created_at timestamptz not null default clock_timestamp(), updated_at timestamptz not null default clock_timestamp()`,
    );
    await runner.query(`
      create table dataset_counts (
        space_id uuid not null, dataset_id uuid not null, slot smallint not null, records bigint not null,
        primary key (space_id, dataset_id, slot),
        foreign key (space_id, dataset_id) references datasets (space_id, id) on delete cascade
      ) with (fillfactor = 50)`);
    await protectTable(runner, 'dataset_counts');
    await runner.query(`
      create table dataset_watches (
        space_id uuid not null, dataset_id uuid not null, watcher_id uuid not null, operations text[] not null,
        primary key (space_id, dataset_id, watcher_id),
        foreign key (space_id, dataset_id) references datasets (space_id, id) on delete cascade
      )`);
    await protectTable(runner, 'dataset_watches');
    await tenantTable(
      runner,
      'imports',
      `dataset_id uuid not null, format text not null, parts int not null default 0, staged bigint not null default 0,
       created_at timestamptz not null default clock_timestamp()`,
    );
    await runner.query('create index imports_age on imports (space_id, created_at)');
    await runner.query(`
      create table import_parts (
        space_id uuid not null, import_id uuid not null, part int not null, rows jsonb not null,
        primary key (space_id, import_id, part),
        foreign key (space_id, import_id) references imports (space_id, id) on delete cascade
      )`);
    await protectTable(runner, 'import_parts');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table import_parts, imports, dataset_watches, dataset_counts, datasets');
  }
}
