import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The note of a change also keeps others of the same application away. Notes of the version before name none. */
export class NoteChangesOfApplications1700000000010 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `alter table application_changes
         add column identifier text,
         add column kind text not null default 'upgrade' check (kind in ('install', 'upgrade', 'uninstall', 'rotate')),
         add column attempt int not null default 0`,
    );
    await runner.query(
      'create unique index application_changes_one_at_a_time on application_changes (space_id, identifier)',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index application_changes_one_at_a_time');
    await runner.query('alter table application_changes drop column identifier, drop column kind, drop column attempt');
  }
}
