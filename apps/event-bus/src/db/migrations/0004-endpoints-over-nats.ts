import { alterBriefly, createIndexes, OnlineMigration } from '@switchyard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const RECEIVER = `case transport
  when 'http' then num_nonnulls(url, secret) = 2 and nats_account_id is null
  else num_nonnulls(nats_account_id, ack_seconds) = 2 and url is null end`;

/** Endpoints that are services over NATS. */
export class EndpointsOverNats1700000004000 extends OnlineMigration implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await alterBriefly(
      runner,
      `alter table endpoints add column if not exists nats_account_id text, add column if not exists ack_seconds int,
         add column if not exists tries int not null default 0, add column if not exists next_try_at timestamptz,
         alter column secret drop not null, drop constraint if exists endpoints_receiver_check`,
      `alter table endpoints add constraint endpoints_receiver_check check (${RECEIVER}) not valid`,
      'alter table endpoint_deliveries add column if not exists unheard int not null default 0',
    );
    await runner.query('alter table endpoints validate constraint endpoints_receiver_check');
    await createIndexes(runner, {
      endpoints_nats_account: 'on endpoints (nats_account_id) where nats_account_id is not null',
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      `delete from subscriptions where endpoint_id in (select id from endpoints where transport = 'nats')`,
    );
    await runner.query(`delete from endpoints where transport = 'nats'`);
    await alterBriefly(
      runner,
      'alter table endpoints drop constraint if exists endpoints_receiver_check',
      `alter table endpoints drop column if exists nats_account_id, drop column if exists ack_seconds,
         drop column if exists tries, drop column if exists next_try_at, alter column secret set not null`,
      'alter table endpoint_deliveries drop column if exists unheard',
    );
  }
}
