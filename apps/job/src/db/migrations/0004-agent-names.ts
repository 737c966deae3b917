import { changeBriefly, createPlatformEventTrigger, OnlineMigration, withoutName } from '@switchyard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { PLATFORM_EVENT_TRIGGER } from '../platform-event-trigger';

/** Events of jobs have the name of the agent. */
export class AgentNames1700000004000 extends OnlineMigration implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await changeBriefly(runner, async () => {
      await runner.query('alter table jobs add column if not exists agent_name text');
      await createPlatformEventTrigger(runner, PLATFORM_EVENT_TRIGGER);
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await changeBriefly(runner, async () => {
      await createPlatformEventTrigger(runner, withoutName(PLATFORM_EVENT_TRIGGER));
      await runner.query('alter table jobs drop column if exists agent_name');
    });
  }
}
