import type { MigrationInterface, QueryRunner } from 'typeorm';
import { CountLostWork1700000000505, ShowLostWork1700000000506 } from './lost-work-tables';
import { OnlineMigration, buildIndexes, dropIndexes } from './online';
import {
  IndexDueEventsBySpace1700000000503,
  QueueEvents1700000000501,
  QueueEventsBySpace1700000000502,
} from './queued-events';
import { globalTable, protectTable } from './tables';

/** Rows live for seconds: free space in pages and an eager vacuum keep claims fast. */
const QUEUE_SETTINGS =
  'with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_cost_delay = 0)';

/** Tables of every service: outbox, inbox, and replies of idempotent requests. */
export class MessagingTables1700000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table outbox (
        id uuid primary key,
        name text not null,
        at timestamptz not null,
        ctx jsonb not null,
        data jsonb not null,
        order_key text,
        pending text[] not null,
        epoch int not null default 0,
        locked_until timestamptz not null
      ) ${QUEUE_SETTINGS}`);
    await runner.query('create index outbox_due on outbox (locked_until)');
    await runner.query(`
      create table inbox (
        consumer text not null,
        message_id uuid not null,
        seen_at timestamptz not null default clock_timestamp(),
        primary key (consumer, message_id)
      )`);
    await runner.query('create index inbox_seen on inbox using brin (seen_at)');
    await globalTable(
      runner,
      'inbox_failure',
      `consumer text not null, message_id uuid not null, attempts int not null, error text not null,
       last_at timestamptz not null default clock_timestamp(), primary key (consumer, message_id)`,
    );
    await globalTable(
      runner,
      'dead_letter',
      `consumer text not null, message_id uuid not null, name text not null, body text not null, attempts int not null,
       error text not null, first_at timestamptz not null default clock_timestamp(),
       last_at timestamptz not null default clock_timestamp(), requeued_at timestamptz, primary key (consumer, message_id)`,
    );
    await runner.query(`
      create table idempotency (
        space_id uuid not null,
        actor text not null,
        route text not null,
        key text not null,
        fingerprint text not null,
        answer jsonb,
        expires_at timestamptz not null,
        primary key (space_id, actor, route, key)
      )`);
    await runner.query('create index idempotency_expiry on idempotency (space_id, expires_at)');
    await protectTable(runner, 'idempotency');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table outbox, inbox, inbox_failure, dead_letter, idempotency');
  }
}

/** Index to find expired replies. */
export class FindSpentAnswers1700000000500 extends OnlineMigration implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await buildIndexes(runner, { idempotency_expires: 'on idempotency (expires_at)' });
    await dropIndexes(runner, 'idempotency_expiry');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('create index idempotency_expiry on idempotency (space_id, expires_at)');
    await runner.query('drop index idempotency_expires');
  }
}

/** Index to find expired dead letters. */
export class FindOldDeadLetters1700000000504 extends OnlineMigration implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await buildIndexes(runner, { dead_letter_age: 'on dead_letter (last_at)' });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index dead_letter_age');
  }
}

/** Run before the service's own. */
export const messagingMigrations = [
  MessagingTables1700000000000,
  FindSpentAnswers1700000000500,
  QueueEvents1700000000501,
  QueueEventsBySpace1700000000502,
  IndexDueEventsBySpace1700000000503,
  FindOldDeadLetters1700000000504,
  CountLostWork1700000000505,
  ShowLostWork1700000000506,
];
