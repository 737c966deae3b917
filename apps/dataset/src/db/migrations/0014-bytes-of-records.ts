import { alterBriefly, asOwner, OnlineMigration } from '@switchyard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Bytes of a dataset's records, for the quota of its Space. Existing datasets start with the size of their table, which
 * can exceed their records; an empty dataset counts nothing.
 */
export class BytesOfRecords1700000000014 extends OnlineMigration implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const [column] = (await runner.query(
      `select 1 from pg_attribute where attrelid = 'dataset_counts'::regclass and attname = 'bytes' and not attisdropped`,
    )) as unknown[];
    if (column !== undefined) return;
    await asOwner(runner, ['dataset_counts'], () =>
      alterBriefly(
        runner,
        'alter table dataset_counts add column bytes bigint not null default 0',
        `update dataset_counts n set bytes = coalesce(pg_table_size(to_regclass(record_table(n.dataset_id))), 0)
         where n.records > 0 and n.slot = (
           select min(m.slot) from dataset_counts m
           where m.space_id = n.space_id and m.dataset_id = n.dataset_id and m.records > 0)`,
      ),
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table dataset_counts drop column bytes');
  }
}
