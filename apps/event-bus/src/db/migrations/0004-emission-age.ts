import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The sweep of old emissions finds them by their time. Rows come in that order, so that a summary of the pages is enough. */
export class IndexEmissionAge1700000000004 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('create index emissions_age on emissions using brin (emitted_at) with (autosummarize = on)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index emissions_age');
  }
}
