import { buildIndexes, OnlineMigration } from '@switchyard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Deleted tasks are found when their time is over. */
export class IndexDeletedTasks1700000000013 extends OnlineMigration implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await buildIndexes(runner, {
      tasks_deleted: 'on tasks (deleted_at) where deleted_at is not null and application_id is null',
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index tasks_deleted');
  }
}
