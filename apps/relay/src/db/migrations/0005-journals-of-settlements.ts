import { alterBriefly, OnlineMigration } from '@switchyard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Relays that have settlements in a local journal: their reservations stay until these are booked. */
export class JournalsOfSettlements1700000005000 extends OnlineMigration implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await alterBriefly(
      runner,
      'alter table holders add column if not exists has_journal boolean not null default false',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await alterBriefly(runner, 'alter table holders drop column if exists has_journal');
  }
}
