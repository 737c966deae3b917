import { alterBriefly, OnlineMigration } from '@switchyard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What models thought before they spoke. It is in no model's context: nothing that builds one selects it. */
export class KeepReasoning1700000000006 extends OnlineMigration implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await alterBriefly(runner, 'alter table messages add column if not exists reasoning text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table messages drop column reasoning');
  }
}
