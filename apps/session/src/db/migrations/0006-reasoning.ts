import { alterBriefly, OnlineMigration } from '@switchyard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Reasoning of models. Never part of a model's context: the queries for it do not select this column. */
export class KeepReasoning1700000000006 extends OnlineMigration implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await alterBriefly(runner, 'alter table messages add column if not exists reasoning text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table messages drop column reasoning');
  }
}
