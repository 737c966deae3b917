import { installPlatformEvents, OnlineMigration, removePlatformEvents } from '@switchyard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { PLATFORM_EVENT_TRIGGERS } from '../platform-event-trigger';

/** Where a subscription of the Space wants it, changes are written to the outbox. */
export class DatasetEvents1700000002000 extends OnlineMigration implements MigrationInterface {
  up(runner: QueryRunner): Promise<void> {
    return installPlatformEvents(runner, PLATFORM_EVENT_TRIGGERS);
  }

  down(runner: QueryRunner): Promise<void> {
    return removePlatformEvents(runner, PLATFORM_EVENT_TRIGGERS);
  }
}
