import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Runs act with the scopes that their task was saved with. Tasks and executions from before have none recorded (null):
 * they go on with what their steps may need, and are recorded with the next change.
 */
export class RecordTaskScopes1700000000009 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table tasks add column scopes text[]');
    await runner.query('alter table executions add column scopes text[]');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table executions drop column scopes');
    await runner.query('alter table tasks drop column scopes');
  }
}
