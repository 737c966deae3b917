import {
  alterBriefly,
  changeBriefly,
  createPlatformEventTrigger,
  createPlatformEventWatches,
  dropPlatformEventTriggers,
  OnlineMigration,
} from '@switchyard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { PLATFORM_EVENT_TRIGGERS } from '../platform-event-trigger';

/** Where a subscription of the Space wants it, a changed status is written to the outbox. */
export class PlatformEvents1700000003000 extends OnlineMigration implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await alterBriefly(runner, 'alter table turns add column if not exists cancelled_by text');
    await changeBriefly(runner, async () => {
      await createPlatformEventWatches(runner);
      for (const trigger of PLATFORM_EVENT_TRIGGERS) await createPlatformEventTrigger(runner, trigger);
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await changeBriefly(runner, async () => {
      for (const { table } of PLATFORM_EVENT_TRIGGERS) await dropPlatformEventTriggers(runner, table);
    });
    await alterBriefly(
      runner,
      'drop table platform_event_watches',
      'alter table turns drop column if exists cancelled_by',
    );
  }
}
