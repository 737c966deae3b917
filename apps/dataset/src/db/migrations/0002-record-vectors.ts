import { protectTable } from '@switchyard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** One row for each text that vector search can find: first a queue of texts to embed, then their vectors. */
export class RecordVectors1700000000002 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table record_vectors (
        space_id uuid not null, dataset_id uuid not null, record_id uuid not null, field smallint not null,
        state text not null default 'PENDING' check (state in ('PENDING', 'READY', 'FAILED', 'GONE')),
        revision int not null default 0, attempts int not null default 0,
        due_at timestamptz not null default clock_timestamp(), actor uuid, vector bytea,
        changed_in xid8 not null default pg_current_xact_id(),
        primary key (space_id, dataset_id, record_id, field),
        foreign key (space_id, dataset_id) references datasets (space_id, id) on delete cascade
      ) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05)`);
    await protectTable(runner, 'record_vectors');
    await runner.query(
      `create index record_vectors_due on record_vectors (space_id, dataset_id, due_at) where state = 'PENDING'`,
    );
    await runner.query(`create index record_vectors_oldest on record_vectors (due_at) where state = 'PENDING'`);
    await runner.query(
      `create index record_vectors_changed on record_vectors (space_id, dataset_id, changed_in) where state in ('READY', 'GONE')`,
    );
    await runner.query('alter table record_vectors alter column vector set storage external');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table record_vectors');
  }
}
