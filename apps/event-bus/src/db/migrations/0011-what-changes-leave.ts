import { OnlineMigration, alterBriefly } from '@switchyard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What the settler has to know of a change: who asked for it, and the watches on datasets that it sets. */
export class KeepWhatChangesLeave1700000000011 extends OnlineMigration implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await alterBriefly(
      runner,
      'alter table application_changes add column if not exists actor jsonb',
      `alter table application_changes add column if not exists watches jsonb not null default '[]'`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table application_changes drop column actor, drop column watches');
  }
}
