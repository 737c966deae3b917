import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Workers claim only as many executions as they have memory for. Those from before count as nothing. */
export class MeasureExecutions1700000000011 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table executions add column bytes int not null default 0');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table executions drop column bytes');
  }
}
