import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The sweep of old executions finds them by their time. Rows come in that order, so that a summary of the pages is enough. */
export class IndexExecutionAge1700000000002 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('create index executions_age on executions using brin (created_at) with (autosummarize = on)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index executions_age');
  }
}
