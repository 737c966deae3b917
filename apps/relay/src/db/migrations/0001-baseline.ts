import {
  Baseline,
  createIndexes,
  globalTable,
  messagingTables,
  protectTable,
  rolesOf,
  tenantTable,
} from '@switchyard/database';
import type { QueryRunner } from 'typeorm';

/** All tables of the service, as of 0.1.0. */
export class RelayBaseline1700000001000 extends Baseline {
  static readonly replaces = 'KeysOfKeys1700000000009';

  async up(runner: QueryRunner): Promise<void> {
    await messagingTables(runner);
    await accounts(runner);
    await ledger(runner);
    await keyAccounts(runner);
    await leases(runner);
    await usage(runner);
  }
}

/** Tokens of each Space, and reservations of running calls. */
async function accounts(runner: QueryRunner): Promise<void> {
  await runner.query(`
    create table accounts (
      space_id uuid primary key,
      balance bigint not null default 0,
      reserved bigint not null default 0 check (reserved >= 0),
      daily_used bigint not null default 0,
      day date not null default (clock_timestamp() at time zone 'utc')::date,
      created_at timestamptz not null default clock_timestamp(),
      month date,
      monthly_used bigint not null default 0,
      monthly_calls bigint not null default 0,
      monthly_cost numeric not null default 0
    ) with (fillfactor = 50)`);
  await protectTable(runner, 'accounts');
  await tenantTable(
    runner,
    'reservations',
    `holder uuid not null,
     tokens bigint not null check (tokens >= 0),
     facts jsonb not null,
     seen_tokens bigint,
     started_at timestamptz not null default clock_timestamp(),
     key_id text`,
  );
  await createIndexes(runner, {
    reservations_holder: 'on reservations (holder)',
  });
}

/** Only inserts: the roles of the service lose the right to change or delete entries. */
async function ledger(runner: QueryRunner): Promise<void> {
  await tenantTable(
    runner,
    'ledger',
    `seq bigint generated always as identity,
     type text not null check (type in ('CREDIT', 'SETTLEMENT', 'CORRECTION')),
     tokens bigint not null,
     balance_after bigint not null,
     note text,
     source text,
     agent_id uuid,
     session_id uuid,
     turn_id uuid,
     task_id uuid,
     job_id uuid,
     user_id uuid,
     key_id text,
     model text,
     upstream text,
     prompt_tokens bigint,
     completion_tokens bigint,
     cost numeric,
     estimated boolean,
     outcome text,
     request_key text,
     created_at timestamptz not null default clock_timestamp()`,
  );
  await createIndexes(runner, {
    ledger_of_key: 'on ledger (space_id, key_id, created_at) where key_id is not null',
    ledger_order: 'on ledger (space_id, seq)',
    ledger_request: 'unique on ledger (space_id, request_key) where request_key is not null',
    ledger_time: 'on ledger (space_id, created_at)',
    ledger_turn: 'on ledger (space_id, turn_id) where turn_id is not null',
  });
  const { app, system } = await rolesOf(runner);
  await runner.query(`revoke update, delete, truncate on ledger from ${app}, ${system}`);
}

/**
 * Usage and reservations of limited keys. They count for the key that created the key as well, up the chain: by a
 * trigger, which covers every writer.
 */
async function keyAccounts(runner: QueryRunner): Promise<void> {
  await runner.query(`
    create table key_accounts (
      space_id uuid not null,
      key_id text not null,
      reserved bigint not null default 0 check (reserved >= 0),
      daily_used bigint not null default 0,
      day date not null,
      monthly_used bigint not null default 0,
      month date not null,
      made_by_key text,
      primary key (space_id, key_id)
    ) with (fillfactor = 50)`);
  await protectTable(runner, 'key_accounts');
  const [row] = (await runner.query('select quote_ident(current_schema()) as schema')) as { schema: string }[];
  const schema = row?.schema ?? 'public';
  await runner.query(
    `create function count_for_maker() returns trigger language plpgsql as $count$ begin
       update ${schema}.key_accounts m set
         reserved = greatest(0, m.reserved + new.reserved - old.reserved),
         daily_used = case when m.day = new.day then m.daily_used else 0 end
           + new.daily_used - case when old.day = new.day then old.daily_used else 0 end,
         day = new.day,
         monthly_used = case when m.month = new.month then m.monthly_used else 0 end
           + new.monthly_used - case when old.month = new.month then old.monthly_used else 0 end,
         month = new.month
       where m.space_id = new.space_id and m.key_id = new.made_by_key;
       return null;
     end $count$`,
  );
  await runner.query(
    `create trigger count_for_maker after update on key_accounts
       for each row when (new.made_by_key is not null) execute function count_for_maker()`,
  );
}

/**
 * Reserved tokens of each relay, Space and key (an empty text without a key): of running calls, and `ahead` of future
 * ones.
 */
async function leases(runner: QueryRunner): Promise<void> {
  await globalTable(runner, 'holders', 'id uuid primary key, beat_at timestamptz not null');
  await runner.query(`
    create table leases (
      space_id uuid not null,
      holder uuid not null,
      key_id text not null,
      tokens bigint not null check (tokens >= 0),
      written_at timestamptz not null default clock_timestamp(),
      ahead bigint not null default 0 check (ahead >= 0),
      primary key (space_id, holder, key_id)
    ) with (fillfactor = 50)`);
  await protectTable(runner, 'leases');
}

/** Sums of the ledger by day and hour. `value` is null for calls without one, so it cannot be in a primary key. */
async function usage(runner: QueryRunner): Promise<void> {
  await runner.query(`
    create table usage_sums (
      space_id uuid not null,
      dimension text not null,
      grain text not null check (grain in ('day', 'hour')),
      start timestamptz not null,
      value text,
      calls bigint not null,
      prompt_tokens bigint not null,
      completion_tokens bigint not null,
      tokens bigint not null,
      cost numeric not null,
      unique nulls not distinct (space_id, dimension, grain, start, value)
    )`);
  await protectTable(runner, 'usage_sums');
  await runner.query(`
    create table usage_summed (
      space_id uuid primary key,
      until bigint not null
    )`);
  await protectTable(runner, 'usage_summed');
}
