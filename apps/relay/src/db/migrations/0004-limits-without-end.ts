import { alterBriefly, OnlineMigration } from '@switchyard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Limits that do not allow more by themselves, such as a ceiling of records. */
export class LimitsWithoutEnd1700000004000 extends OnlineMigration implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await alterBriefly(runner, 'alter table reached_limits alter column until drop not null');
  }

  async down(runner: QueryRunner): Promise<void> {
    await alterBriefly(
      runner,
      'delete from reached_limits where until is null',
      'alter table reached_limits alter column until set not null',
    );
  }
}
