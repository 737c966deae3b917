import { changeBriefly, createPlatformEventTrigger, OnlineMigration } from '@switchyard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { PLATFORM_EVENT_TRIGGER } from '../platform-event-trigger';

/** The process that commits an event of the platform is notified and publishes it at once. */
export class EventsAtOnce1700000003000 extends OnlineMigration implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await changeBriefly(runner, () => createPlatformEventTrigger(runner, PLATFORM_EVENT_TRIGGER));
  }

  /** The trigger of the migration before works with the same tables. */
  async down(): Promise<void> {}
}
