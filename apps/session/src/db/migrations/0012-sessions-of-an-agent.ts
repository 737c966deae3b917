import { buildIndexes, dropIndexes, OnlineMigration } from '@switchyard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Lists of one agent: by time alone, all sessions of a user were read to find those of an agent that has few. */
export class SessionsOfAnAgent1700000000012 extends OnlineMigration implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await buildIndexes(runner, {
      sessions_of_an_agent_by_time: `on sessions (space_id, agent_id, created_at, id) where status = 'ACTIVE'`,
      sessions_of_a_user_and_agent: `on sessions (space_id, user_id, agent_id, created_at, id) where status = 'ACTIVE'`,
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await dropIndexes(runner, 'sessions_of_an_agent_by_time', 'sessions_of_a_user_and_agent');
  }
}
