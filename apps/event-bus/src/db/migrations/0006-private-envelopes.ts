import { buildIndexes, dropIndexes, OnlineMigration } from '@switchyard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Counts of the activity leave out envelopes that a member may not see. */
export class PrivateEnvelopes1700000006000 extends OnlineMigration implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await buildIndexes(runner, {
      emissions_private: 'on emissions (space_id, emitted_at, status, audience) where audience is not null',
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await dropIndexes(runner, 'emissions_private');
  }
}
