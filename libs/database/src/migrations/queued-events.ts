import type { MigrationInterface, QueryRunner } from 'typeorm';
import { OnlineMigration, alterBriefly, buildIndexes } from './online';

/** Space of an event in the queue; events without one share an empty id. */
export const QUEUE_SPACE = `coalesce(ctx->>'spaceId', '')`;

/**
 * Events with a negative epoch are queued and not published yet; later ones of the same order key queue behind them.
 * `seq` is their order, independent of process clocks; older events need none.
 */
export class QueueEvents1700000000501 extends OnlineMigration implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await alterBriefly(
      runner,
      'create sequence if not exists outbox_seq',
      'alter table outbox add column if not exists seq bigint',
      `alter table outbox alter column seq set default nextval('outbox_seq')`,
    );
    await buildIndexes(runner, {
      outbox_queued: 'on outbox (seq) where epoch < 0',
      outbox_queued_keys: 'on outbox (order_key, locked_until) where epoch < 0',
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index outbox_queued, outbox_queued_keys');
    await runner.query('alter table outbox drop column seq');
    await runner.query('drop sequence outbox_seq');
  }
}

/**
 * Claims rotate over Spaces, and over order keys within a Space. The previous version claims by `outbox_queued`, which
 * stays.
 */
export class QueueEventsBySpace1700000000502 extends OnlineMigration implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await buildIndexes(runner, {
      outbox_queued_turns: `on outbox ((${QUEUE_SPACE}), order_key, seq) where epoch < 0`,
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index outbox_queued_turns');
  }
}

/** Claims of events that are due again rotate over Spaces too. */
export class IndexDueEventsBySpace1700000000503 extends OnlineMigration implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await buildIndexes(runner, { outbox_due_turns: `on outbox ((${QUEUE_SPACE}), locked_until) where epoch >= 0` });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index outbox_due_turns');
  }
}
