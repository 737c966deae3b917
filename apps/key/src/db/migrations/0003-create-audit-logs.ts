import { globalTable, tenantTable } from '@switchyard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Two logs: what happened in a Space, and what happened to an account before any Space was known. */
export class CreateAuditLogs1700000000003 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await tenantTable(
      runner,
      'space_events',
      `action text not null,
       target text,
       details jsonb not null default '{}',
       actor_user_id uuid,
       credential_id text,
       request_id text not null,
       at timestamptz(3) not null default now()`,
    );
    await runner.query(`create index space_events_newest on space_events (space_id, at desc, id desc)`);
    await globalTable(
      runner,
      'account_events',
      `id uuid primary key,
       action text not null,
       user_id uuid,
       details jsonb not null default '{}',
       request_id text not null,
       at timestamptz(3) not null default now()`,
    );
    await runner.query(`create index account_events_of_a_user on account_events (user_id, at desc)`);

    await runner.query(`
      create function refuse_change_of_the_log() returns trigger language plpgsql as $$
      begin
        raise exception 'the log of security events only grows' using errcode = '42501';
      end $$`);
    for (const table of ['space_events', 'account_events']) {
      await runner.query(
        `create trigger ${table}_only_grows before update or delete or truncate on ${table}
         for each statement execute function refuse_change_of_the_log()`,
      );
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`drop table space_events`);
    await runner.query(`drop table account_events`);
    await runner.query(`drop function refuse_change_of_the_log()`);
  }
}
