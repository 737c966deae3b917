import { createActivityTables, dropActivityTables, OnlineMigration } from '@switchyard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { EXECUTION_ACTIVITY } from '../execution-activity';

/** Counters of executions by hour and status, and notes of changes while somebody watches. */
export class CountExecutions1700000000006 extends OnlineMigration implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await createActivityTables(runner, EXECUTION_ACTIVITY);
  }

  async down(runner: QueryRunner): Promise<void> {
    await dropActivityTables(runner, EXECUTION_ACTIVITY);
  }
}
