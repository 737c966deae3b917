import { buildIndexes, dropIndexes, OnlineMigration } from '@switchyard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Lists by a part of the title read an index alone, which has the titles in lower case. The title itself is in it as
 * well: Postgres reads no index alone for an expression if the index lacks the expression's column.
 */
export class SessionsByTitle1700000000013 extends OnlineMigration implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await buildIndexes(runner, {
      sessions_of_a_user_with_titles: `on sessions (space_id, user_id, created_at, id, lower(title)) include (title)
        where status = 'ACTIVE'`,
    });
    await dropIndexes(runner, 'sessions_of_a_user_by_time');
  }

  async down(runner: QueryRunner): Promise<void> {
    await buildIndexes(runner, {
      sessions_of_a_user_by_time: `on sessions (space_id, user_id, created_at, id) where status = 'ACTIVE'`,
    });
    await dropIndexes(runner, 'sessions_of_a_user_with_titles');
  }
}
