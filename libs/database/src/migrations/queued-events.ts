import type { MigrationInterface, QueryRunner } from 'typeorm';
import { OnlineMigration, alterBriefly, buildIndexes } from './online';

/** The Space that an event counts for in the queue; those without one have the turns of a Space together. */
export const QUEUE_SPACE = `coalesce(ctx->>'spaceId', '')`;

/**
 * An event with a negative epoch is queued: it has not been published, and those that follow it under its order key are
 * queued behind it. `seq` is their order, whatever the clocks of their processes say; events that were there before need
 * none.
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
 * Claims go from Space to Space, and from order key to order key within it, whatever is queued. Replicas of the version
 * before claim by `outbox_queued`, which stays for them.
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

/** Events that are due again are claimed from Space to Space, too. */
export class IndexDueEventsBySpace1700000000503 extends OnlineMigration implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await buildIndexes(runner, { outbox_due_turns: `on outbox ((${QUEUE_SPACE}), locked_until) where epoch >= 0` });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index outbox_due_turns');
  }
}
