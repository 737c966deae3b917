import { buildIndexes, dropIndexes, OnlineMigration } from '@switchyard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Running turns by their key. The index that this replaces had no column that tells one running turn from another. It is
 * nearly empty when the planner looks at it, so it was chosen for the end of a turn, which then read all running turns.
 */
export class FindRunningTurnsByKey1700000000010 extends OnlineMigration implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await buildIndexes(runner, { turns_held: `on turns (id) where status = 'RUNNING'` });
    await dropIndexes(runner, 'turns_running', 'turns_by_key');
  }

  async down(runner: QueryRunner): Promise<void> {
    await buildIndexes(runner, {
      turns_by_key: 'on turns (id)',
      turns_running: `on turns (status) where status = 'RUNNING'`,
    });
    await dropIndexes(runner, 'turns_held');
  }
}
