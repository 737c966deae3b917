import { tenantTable } from '@switchyard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Writes of runs, one row each, for the tree of causes. */
export class NoteRecordWrites1700000000008 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await tenantTable(
      runner,
      'record_writes',
      `dataset_id uuid not null,
       operation text not null check (operation in ('insert', 'update', 'delete')),
       records int not null,
       user_id uuid,
       parent text not null,
       root uuid not null,
       correlation_id uuid,
       created_at timestamptz not null default clock_timestamp()`,
    );
    await runner.query('create index record_writes_root on record_writes (space_id, root)');
    await runner.query(
      'create index record_writes_chain on record_writes (space_id, correlation_id) where correlation_id is not null',
    );
    await runner.query(
      'create index record_writes_age on record_writes using brin (created_at) with (autosummarize = on)',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table record_writes');
  }
}
