import {
  alterBriefly,
  buildIndexes,
  changeBriefly,
  dropIndexes,
  installPlatformEvents,
  OnlineMigration,
  protectTable,
  removePlatformEvents,
} from '@switchyard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { PLATFORM_EVENT_TRIGGERS } from '../platform-event-trigger';

/** Thresholds that a balance is below now, without those that were noted since the last credit. */
const NOTE_LOW_BALANCE = `
  create or replace function note_low_balance(space uuid, balance bigint, minimum bigint) returns setof text
  language plpgsql as $low$
  declare
    credit record;
  begin
    select l.seq, l.tokens into credit from ledger l
     where l.space_id = space and l.type = 'CREDIT' order by l.seq desc limit 1;
    return query
      with noted as (
        insert into low_balances as n (space_id, reason, credit_seq)
        select space, reached.reason, coalesce(credit.seq, 0)
          from (values ('TENTH', balance < credit.tokens / 10.0), ('MINIMUM', balance < minimum), ('ZERO', balance < 0))
            as reached (reason, is_low)
         where reached.is_low
        on conflict (space_id, reason) do update set credit_seq = excluded.credit_seq
          where n.credit_seq <> excluded.credit_seq
        returning n.reason)
      select noted.reason from noted;
  end $low$`;

/** Where a subscription of the Space wants it, low balances and limits that refuse are written to the outbox. */
export class LimitsAndBalances1700000003000 extends OnlineMigration implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await buildIndexes(runner, { ledger_credits: `on ledger (space_id, seq) where type = 'CREDIT'` });
    await alterBriefly(runner, 'alter table accounts add column if not exists minimum_balance bigint');
    await changeBriefly(runner, async () => {
      await runner.query(
        `create table low_balances (space_id uuid not null, reason text not null, credit_seq bigint not null, primary key (space_id, reason))`,
      );
      await protectTable(runner, 'low_balances');
      await runner.query(
        `create table reached_limits (space_id uuid not null, limit_name text not null, value bigint not null,
           until timestamptz not null, reached_at timestamptz not null default clock_timestamp(), primary key (space_id, limit_name))`,
      );
      await protectTable(runner, 'reached_limits');
      await runner.query(NOTE_LOW_BALANCE);
    });
    await installPlatformEvents(runner, PLATFORM_EVENT_TRIGGERS);
  }

  async down(runner: QueryRunner): Promise<void> {
    await removePlatformEvents(runner, PLATFORM_EVENT_TRIGGERS);
    await alterBriefly(
      runner,
      'drop function note_low_balance(uuid, bigint, bigint)',
      'drop table low_balances',
      'drop table reached_limits',
      'alter table accounts drop column if exists minimum_balance',
    );
    await dropIndexes(runner, 'ledger_credits');
  }
}
