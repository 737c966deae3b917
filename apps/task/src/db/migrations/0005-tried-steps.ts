import { OnlineMigration, alterBriefly } from '@switchyard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Executions of one step alone name it. */
export class TriedSteps1700000005000 extends OnlineMigration implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await alterBriefly(runner, 'alter table executions add column if not exists tried_step text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await alterBriefly(runner, 'alter table executions drop column if exists tried_step');
  }
}
