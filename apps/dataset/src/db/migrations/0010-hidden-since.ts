import { alterBriefly, OnlineMigration } from '@switchyard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Since when an import is hidden: only transactions that began before are waited for, however often it is tried. */
export class HiddenSince1700000000010 extends OnlineMigration implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await alterBriefly(runner, 'alter table imports add column if not exists hidden_at timestamptz');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table imports drop column hidden_at');
  }
}
