import { buildIndexes, OnlineMigration } from '@switchyard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Waiting work is claimed round-robin by Space: the next Space is one step in the index. */
export class TurnsOfSpaces1700000000007 extends OnlineMigration implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await buildIndexes(runner, {
      record_vectors_turn: `on record_vectors (space_id, due_at) where state = 'PENDING'`,
      imports_running: `on imports (space_id) where phase in ('RUNNING', 'WRITING', 'UNDOING')`,
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index imports_running');
    await runner.query('drop index record_vectors_turn');
  }
}
