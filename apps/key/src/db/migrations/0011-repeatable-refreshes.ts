import { alterBriefly, OnlineMigration } from '@switchyard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The successor of a used refresh token, encrypted with the token itself: only its owner can read it. */
export class RepeatableRefreshes1700000000011 extends OnlineMigration implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await alterBriefly(runner, 'alter table refresh_tokens add column if not exists successor bytea');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table refresh_tokens drop column successor');
  }
}
