import { buildIndexes, dropIndexes, OnlineMigration } from '@switchyard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The messages of a turn are reached without the rest of their session. */
export class FindMessagesByTurn1700000000008 extends OnlineMigration implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await buildIndexes(runner, {
      messages_of_turn: 'on messages (space_id, session_id, turn_id, seq) where turn_id is not null',
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await dropIndexes(runner, 'messages_of_turn');
  }
}
