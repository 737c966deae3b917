import { alterBriefly, OnlineMigration } from '@switchyard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Whether somebody else chose the first password of an account: true of all that were there before invitations. */
export class MarkPasswordsOfOthers1700000000008 extends OnlineMigration implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await alterBriefly(
      runner,
      'alter table users add column if not exists password_by_others boolean not null default true',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table users drop column password_by_others');
  }
}
