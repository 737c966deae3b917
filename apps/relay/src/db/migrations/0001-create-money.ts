import type { MigrationInterface, QueryRunner } from 'typeorm';
import { globalTable, protectTable, rolesOf, tenantTable } from '@switchyard/database';

export class CreateMoney1700000000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`create table accounts (
      space_id uuid primary key,
      balance bigint not null default 0,
      reserved bigint not null default 0 check (reserved >= 0),
      daily_used bigint not null default 0,
      day date not null default (clock_timestamp() at time zone 'utc')::date,
      created_at timestamptz not null default clock_timestamp()
    ) with (fillfactor = 50)`);
    await protectTable(runner, 'accounts');

    await tenantTable(
      runner,
      'reservations',
      `holder uuid not null,
       tokens bigint not null check (tokens >= 0),
       facts jsonb not null,
       seen_tokens bigint,
       started_at timestamptz not null default clock_timestamp()`,
    );
    await runner.query('create index reservations_holder on reservations (holder)');

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
    await runner.query('create index ledger_order on ledger (space_id, seq)');
    await runner.query('create index ledger_time on ledger (space_id, created_at)');
    await runner.query(
      'create unique index ledger_request on ledger (space_id, request_key) where request_key is not null',
    );
    // A ledger is only ever added to: the roles of the service lose the right to do anything else.
    const { app, system } = await rolesOf(runner);
    await runner.query(`revoke update, delete, truncate on ledger from ${app}, ${system}`);

    await globalTable(runner, 'holders', 'id uuid primary key, beat_at timestamptz not null');
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['holders', 'ledger', 'reservations', 'accounts']) await runner.query(`drop table ${table}`);
  }
}
