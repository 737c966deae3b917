import { alterBriefly, OnlineMigration } from '@switchyard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Whose limits a run counts against: the API key that started it, or that saved the task which started by itself. */
export class RecordKeysOfRuns1700000000012 extends OnlineMigration implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await alterBriefly(runner, 'alter table tasks add column if not exists key_id text');
    await alterBriefly(runner, 'alter table executions add column if not exists key_id text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table executions drop column key_id');
    await runner.query('alter table tasks drop column key_id');
  }
}
