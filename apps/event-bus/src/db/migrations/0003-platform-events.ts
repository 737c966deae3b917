import { alterBriefly, OnlineMigration } from '@switchyard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Envelopes that not every member may see. */
export class PlatformEvents1700000003000 extends OnlineMigration implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await alterBriefly(runner, 'alter table emissions add column if not exists audience uuid');
  }

  async down(runner: QueryRunner): Promise<void> {
    await alterBriefly(runner, 'alter table emissions drop column if exists audience');
  }
}
