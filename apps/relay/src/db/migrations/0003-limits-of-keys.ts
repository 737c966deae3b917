import { buildIndexes, changeBriefly, OnlineMigration, protectTable } from '@switchyard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Usage and reservations of limited keys, in addition to the accounts of their Spaces. */
export class LimitsOfKeys1700000000003 extends OnlineMigration implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await changeBriefly(runner, () => createKeyAccounts(runner));
    await buildIndexes(runner, {
      ledger_of_key: 'on ledger (space_id, key_id, created_at) where key_id is not null',
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index ledger_of_key');
    await runner.query('alter table reservations drop column key_id');
    await runner.query('drop table key_accounts');
  }
}

async function createKeyAccounts(runner: QueryRunner): Promise<void> {
  const [row] = (await runner.query(`select to_regclass('key_accounts') is not null as there`)) as { there: boolean }[];
  if (row?.there === true) return;
  await runner.query(`create table key_accounts (
      space_id uuid not null,
      key_id text not null,
      reserved bigint not null default 0 check (reserved >= 0),
      daily_used bigint not null default 0,
      day date not null,
      monthly_used bigint not null default 0,
      month date not null,
      primary key (space_id, key_id)
    ) with (fillfactor = 50)`);
  await protectTable(runner, 'key_accounts');
  // Set where the reservation is counted against the key as well.
  await runner.query('alter table reservations add column key_id text');
}
