import {
  alterBriefly,
  changeBriefly,
  createPlatformEventTrigger,
  createPlatformEventWatches,
  dropPlatformEventTriggers,
  OnlineMigration,
} from '@switchyard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { PLATFORM_EVENT_TRIGGER } from '../platform-event-trigger';

/** Where a subscription of the Space wants it, a changed status is written to the outbox. */
export class PlatformEvents1700000002000 extends OnlineMigration implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await changeBriefly(runner, async () => {
      await createPlatformEventWatches(runner);
      await createPlatformEventTrigger(runner, PLATFORM_EVENT_TRIGGER);
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await changeBriefly(runner, () => dropPlatformEventTriggers(runner, 'jobs'));
    await alterBriefly(runner, 'drop table platform_event_watches');
  }
}
