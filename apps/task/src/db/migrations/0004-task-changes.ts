import {
  changeBriefly,
  createPlatformEventTrigger,
  dropPlatformEventTriggers,
  OnlineMigration,
} from '@switchyard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { TASK_CHANGES } from '../platform-event-trigger';

/** Where a subscription of the Space wants it, changes of tasks are written to the outbox. */
export class TaskChanges1700000004000 extends OnlineMigration implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await changeBriefly(runner, () => createPlatformEventTrigger(runner, TASK_CHANGES));
  }

  async down(runner: QueryRunner): Promise<void> {
    await changeBriefly(runner, () => dropPlatformEventTriggers(runner, TASK_CHANGES.table));
  }
}
