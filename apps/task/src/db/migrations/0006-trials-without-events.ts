import { changeBriefly, createPlatformEventTrigger, OnlineMigration } from '@switchyard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { EVENTS_WITHOUT_TRIALS, PLATFORM_EVENT_TRIGGER } from '../platform-event-trigger';

/** Trials of one step raise no events of executions. */
export class TrialsWithoutEvents1700000006000 extends OnlineMigration implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await changeBriefly(runner, () => createPlatformEventTrigger(runner, EVENTS_WITHOUT_TRIALS));
  }

  async down(runner: QueryRunner): Promise<void> {
    await changeBriefly(runner, () => createPlatformEventTrigger(runner, PLATFORM_EVENT_TRIGGER));
  }
}
