import type { QueryRunner } from 'typeorm';
import { createIndexes, globalTable, protectTable } from './tables';

/** Rows live for seconds: free space in pages and an eager vacuum keep claims fast. */
const QUEUE_SETTINGS =
  'with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_cost_delay = 0)';
const MARK_SETTINGS = 'with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0)';

/** Space of an event in the queue; events without one share an empty id. */
export const QUEUE_SPACE = `coalesce(ctx->>'spaceId', '')`;

/** Tables that every service has: outbox, inbox, replies of idempotent requests, and losses of work. */
export async function messagingTables(runner: QueryRunner): Promise<void> {
  await outbox(runner);
  await inbox(runner);
  await idempotency(runner);
  await lostWork(runner);
}

/**
 * Events with a negative epoch are queued and not published yet; later ones of the same order key queue behind them.
 * `seq` is their order, independent of process clocks. Claims rotate over Spaces, and over order keys within a Space.
 */
async function outbox(runner: QueryRunner): Promise<void> {
  await runner.query('create sequence outbox_seq');
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
      locked_until timestamptz not null,
      seq bigint default nextval('outbox_seq')
    ) ${QUEUE_SETTINGS}`);
  await createIndexes(runner, {
    outbox_due: 'on outbox (locked_until)',
    outbox_due_turns: `on outbox ((${QUEUE_SPACE}), locked_until) where epoch >= 0`,
    outbox_queued: 'on outbox (seq) where epoch < 0',
    outbox_queued_keys: 'on outbox (order_key, locked_until) where epoch < 0',
    outbox_queued_turns: `on outbox ((${QUEUE_SPACE}), order_key, seq) where epoch < 0`,
  });
}

async function inbox(runner: QueryRunner): Promise<void> {
  await globalTable(
    runner,
    'inbox',
    `consumer text not null, message_id uuid not null, seen_at timestamptz not null default clock_timestamp(),
     primary key (consumer, message_id)`,
  );
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
     last_at timestamptz not null default clock_timestamp(), requeued_at timestamptz, space_id uuid,
     primary key (consumer, message_id)`,
  );
  await createIndexes(runner, {
    inbox_seen: 'on inbox using brin (seen_at)',
    dead_letter_age: 'on dead_letter (last_at)',
  });
}

/** Replies of requests with an idempotency key. */
async function idempotency(runner: QueryRunner): Promise<void> {
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
  await protectTable(runner, 'idempotency');
  await createIndexes(runner, { idempotency_expires: 'on idempotency (expires_at)' });
}

/**
 * Losses of work. Ids that clients choose are unique in their Space only, so work is counted by our id and shown by
 * theirs. `running_work` marks work in progress without a lease; it is unlogged, so marks cost no WAL and are cleared
 * by a database crash.
 */
async function lostWork(runner: QueryRunner): Promise<void> {
  await globalTable(
    runner,
    'lost_work',
    `kind text not null, id uuid not null, space_id uuid, losses int not null,
     lost_at timestamptz not null default clock_timestamp(), lost_by text, given_up_at timestamptz, shown_id uuid,
     primary key (kind, id)`,
  );
  await createIndexes(runner, {
    lost_work_age: 'on lost_work (lost_at)',
    lost_work_of_id: 'on lost_work (id)',
    lost_work_shown: 'on lost_work (shown_id) where shown_id is not null',
  });
  await runner.query(
    `create unlogged table running_work (
       worker text not null, slot text not null, kind text not null, ids uuid[] not null, is_alone boolean not null default false,
       at timestamptz not null default clock_timestamp(), primary key (worker, slot)) ${MARK_SETTINGS}`,
  );
}
