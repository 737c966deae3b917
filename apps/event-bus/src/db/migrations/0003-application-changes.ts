import { tenantTable } from '@switchyard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateApplicationChanges1700000000003 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await tenantTable(
      runner,
      'application_changes',
      `application_id uuid not null,
       started_at timestamptz not null default clock_timestamp()`,
    );
    await runner.query('create index application_changes_started on application_changes (started_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table application_changes');
  }
}
