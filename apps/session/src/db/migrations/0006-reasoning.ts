import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What models thought before they spoke. It is in no model's context: nothing that builds one selects it. */
export class KeepReasoning1700000000006 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table messages add column reasoning text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table messages drop column reasoning');
  }
}
