import { buildIndexes, OnlineMigration } from '@switchyard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The backlog of a shard can be read without the Spaces over their share, however large those are. */
export class IndexWaitingBySpace1700000000009 extends OnlineMigration implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await buildIndexes(runner, {
      emissions_pending_of_space: `on emissions (lane, space_id, seq) where status = 'PENDING'`,
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index emissions_pending_of_space');
  }
}
