import { alterBriefly, buildIndexes, dropIndexes, OnlineMigration } from '@switchyard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The last suspension that has ended: services that were away while it began and ended move the times of the Space. */
export class LastSuspension1700000000022 extends OnlineMigration implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await alterBriefly(
      runner,
      `alter table spaces add column if not exists last_suspended_at timestamptz(3),
         add column if not exists last_resumed_at timestamptz(3)`,
    );
    await buildIndexes(runner, { spaces_resumed: 'on spaces (last_resumed_at) where last_resumed_at is not null' });
  }

  async down(runner: QueryRunner): Promise<void> {
    await dropIndexes(runner, 'spaces_resumed');
    await runner.query('alter table spaces drop column last_suspended_at, drop column last_resumed_at');
  }
}
