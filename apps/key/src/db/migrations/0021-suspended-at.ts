import { alterBriefly, asOwner, buildIndexes, dropIndexes, OnlineMigration } from '@switchyard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Since when a Space is suspended. Of those that are suspended already, the log of their events knows it. */
export class SuspendedAt1700000000021 extends OnlineMigration implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await alterBriefly(runner, 'alter table spaces add column if not exists suspended_at timestamptz(3)');
    await asOwner(runner, ['spaces', 'space_events'], async () => {
      await runner.query(
        `update spaces s set suspended_at = (
           select min(e.at) from space_events e where e.space_id = s.space_id and e.action = 'space.suspended'
             and e.at > coalesce((select max(r.at) from space_events r
               where r.space_id = s.space_id and r.action = 'space.resumed'), '-infinity'))
         where s.status = 'SUSPENDED' and s.suspended_at is null`,
      );
    });
    await buildIndexes(runner, { spaces_suspended: `on spaces (space_id) where status = 'SUSPENDED'` });
  }

  async down(runner: QueryRunner): Promise<void> {
    await dropIndexes(runner, 'spaces_suspended');
    await runner.query('alter table spaces drop column suspended_at');
  }
}
