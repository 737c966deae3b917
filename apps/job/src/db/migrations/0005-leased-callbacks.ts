import { alterBriefly, asOwner, buildIndexes, dropIndexes, OnlineMigration } from '@switchyard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Callbacks have leases in their rows. Those that wait stay where they are; one that has ended a process is not tried
 * from the beginning.
 */
export class LeasedCallbacks1700000005000 extends OnlineMigration implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await alterBriefly(
      runner,
      `alter table callbacks add column if not exists worker text, add column if not exists lease_until timestamptz,
         add column if not exists taken_at timestamptz, add column if not exists lost_at timestamptz,
         add column if not exists takeovers int not null default 0, add column if not exists attempt_log jsonb not null default '[]'`,
    );
    await buildIndexes(runner, { callbacks_leased: 'on callbacks (space_id) where worker is not null' });
    await asOwner(runner, ['callbacks'], async () => {
      await runner.query(
        `with lost as (delete from lost_work where kind = 'callback' and given_up_at is null returning id, losses, lost_at)
         update callbacks c set takeovers = least(lost.losses, 1), lost_at = lost.lost_at from lost
          where c.id = lost.id and c.delivered_at is null and c.given_up_at is null`,
      );
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await dropIndexes(runner, 'callbacks_leased');
    await alterBriefly(
      runner,
      `alter table callbacks drop column if exists worker, drop column if exists lease_until, drop column if exists taken_at,
         drop column if exists lost_at, drop column if exists takeovers, drop column if exists attempt_log`,
    );
  }
}
