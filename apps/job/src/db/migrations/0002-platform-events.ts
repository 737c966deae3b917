import {
  alterBriefly,
  changeBriefly,
  createPlatformEventTrigger,
  createPlatformEventWatches,
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
    await alterBriefly(runner, 'drop function raise_events_of_jobs() cascade', 'drop table platform_event_watches');
  }
}
