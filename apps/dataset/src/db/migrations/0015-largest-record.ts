import { alterBriefly, asOwner, changeBriefly, OnlineMigration } from '@switchyard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const UNKNOWN = 2_147_483_647;

/**
 * How large the largest record of a dataset is that was ever written: if a page of such records fits into one answer, it
 * is read without adding up bytes. Counts of versions before do not say it, and go on being kept in slots of their own.
 */
export class LargestRecord1700000000015 extends OnlineMigration implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await asOwner(runner, ['dataset_counts'], () =>
      alterBriefly(runner, 'alter table dataset_counts add column if not exists largest int'),
    );
    await changeBriefly(runner, async () => {
      await runner.query(`
        create or replace function largest_record(space uuid, dataset uuid) returns int
        language plpgsql stable parallel safe as $$
        begin
          return (select coalesce(max(coalesce(n.largest, ${UNKNOWN})), 0) from dataset_counts n
            where n.space_id = space and n.dataset_id = dataset);
        end $$`);
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop function largest_record(uuid, uuid)');
    await runner.query('alter table dataset_counts drop column largest');
  }
}
