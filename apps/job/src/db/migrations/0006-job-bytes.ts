import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Workers claim only as many jobs as they have memory for. Those from before count as nothing. */
export class MeasureJobs1700000000006 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table jobs add column bytes int not null default 0');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table jobs drop column bytes');
  }
}
