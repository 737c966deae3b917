import { alterBriefly, buildIndexes, OnlineMigration } from '@switchyard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The note of a change also keeps others of the same application away. Notes of the version before name none. */
export class NoteChangesOfApplications1700000000010 extends OnlineMigration implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await alterBriefly(
      runner,
      `alter table application_changes
         add column if not exists identifier text,
         add column if not exists kind text not null default 'upgrade' check (kind in ('install', 'upgrade', 'uninstall', 'rotate')),
         add column if not exists attempt int not null default 0`,
    );
    await buildIndexes(runner, {
      application_changes_one_at_a_time: 'unique on application_changes (space_id, identifier)',
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index application_changes_one_at_a_time');
    await runner.query('alter table application_changes drop column identifier, drop column kind, drop column attempt');
  }
}
