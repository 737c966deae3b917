import { buildIndexes, dropIndexes, OnlineMigration } from '@switchyard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Finds the due callbacks of one Space without reading those of others. */
export class CallbacksOfSpaces1700000000008 extends OnlineMigration implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await buildIndexes(runner, {
      callbacks_of_spaces: 'on callbacks (space_id, due_at) where delivered_at is null and given_up_at is null',
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await dropIndexes(runner, 'callbacks_of_spaces');
  }
}
