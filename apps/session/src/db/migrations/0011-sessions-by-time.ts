import { buildIndexes, dropIndexes, OnlineMigration } from '@switchyard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Sessions are listed by their creation: an id that a client has chosen says nothing of it. */
export class ListSessionsByTime1700000000011 extends OnlineMigration implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await buildIndexes(runner, {
      sessions_of_a_user_by_time: `on sessions (space_id, user_id, created_at, id) where status = 'ACTIVE'`,
      sessions_by_time: `on sessions (space_id, created_at, id) where status = 'ACTIVE'`,
    });
    await dropIndexes(runner, 'sessions_of_a_user');
  }

  async down(runner: QueryRunner): Promise<void> {
    await buildIndexes(runner, {
      sessions_of_a_user: `on sessions (space_id, user_id, id) where status = 'ACTIVE'`,
    });
    await dropIndexes(runner, 'sessions_of_a_user_by_time', 'sessions_by_time');
  }
}
