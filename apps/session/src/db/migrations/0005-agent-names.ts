import { changeBriefly, createPlatformEventTrigger, OnlineMigration, withoutName } from '@switchyard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { PLATFORM_EVENT_TRIGGERS } from '../platform-event-trigger';

/** Events of turns and of their interactions have the name of the agent. */
export class AgentNames1700000005000 extends OnlineMigration implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await changeBriefly(runner, async () => {
      await runner.query('alter table turns add column if not exists agent_name text');
      for (const trigger of PLATFORM_EVENT_TRIGGERS) await createPlatformEventTrigger(runner, trigger);
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await changeBriefly(runner, async () => {
      for (const trigger of PLATFORM_EVENT_TRIGGERS) await createPlatformEventTrigger(runner, withoutName(trigger));
      await runner.query('alter table turns drop column if exists agent_name');
    });
  }
}
