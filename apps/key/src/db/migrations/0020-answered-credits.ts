import { alterBriefly, OnlineMigration } from '@switchyard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When an operator was answered about a credit: one that was booked in the background is not known to its operator yet. */
export class AnsweredCredits1700000000020 extends OnlineMigration implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await alterBriefly(runner, 'alter table credit_intents add column if not exists answered_at timestamptz');
  }

  async down(runner: QueryRunner): Promise<void> {
    await alterBriefly(runner, 'alter table credit_intents drop column answered_at');
  }
}
