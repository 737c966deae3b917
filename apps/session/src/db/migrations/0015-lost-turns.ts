import { alterBriefly, OnlineMigration } from '@switchyard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When a turn was taken up, and when it lost its process: what was lost once runs with no other such turn beside it. */
export class CountLostTurns1700000000015 extends OnlineMigration implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await alterBriefly(
      runner,
      'alter table turns add column if not exists lost_at timestamptz, add column if not exists taken_at timestamptz',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table turns drop column lost_at, drop column taken_at');
  }
}
