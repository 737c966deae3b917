import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The sweep of old jobs finds them by their time. Rows come in that order, so that a summary of the pages is enough. */
export class IndexJobAge1700000000002 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('create index jobs_age on jobs using brin (created_at) with (autosummarize = on)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index jobs_age');
  }
}
