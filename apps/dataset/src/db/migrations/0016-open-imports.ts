import { buildIndexes, OnlineMigration } from '@switchyard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The open imports of a Space, without a look at those that have ended. */
export class OpenImports1700000000016 extends OnlineMigration implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await buildIndexes(runner, {
      imports_open: `on imports (space_id) where phase in ('STAGING', 'QUEUED', 'RUNNING', 'WRITING', 'UNDOING')`,
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index imports_open');
  }
}
