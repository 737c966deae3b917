import { OnlineMigration, alterBriefly } from '@switchyard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Data of a change for its recovery: the requester, and the watches that it sets on datasets. */
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
