import { alterBriefly, OnlineMigration } from '@switchyard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How often a turn was claimed and given back because nobody could go on with it yet. */
export class DeferTurns1700000000007 extends OnlineMigration implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await alterBriefly(runner, 'alter table turns add column if not exists deferrals int not null default 0');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table turns drop column deferrals');
  }
}
