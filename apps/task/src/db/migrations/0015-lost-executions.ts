import { alterBriefly, OnlineMigration } from '@switchyard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When an execution was taken up, and when it lost its worker: what was lost once runs with no other such one beside it. */
export class CountLostExecutions1700000000015 extends OnlineMigration implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await alterBriefly(
      runner,
      'alter table executions add column if not exists lost_at timestamptz, add column if not exists taken_at timestamptz',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table executions drop column lost_at, drop column taken_at');
  }
}
