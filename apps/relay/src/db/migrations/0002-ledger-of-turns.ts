import { buildIndexes, OnlineMigration } from '@switchyard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The cost of a turn, and of all model calls with one cause. */
export class FindLedgerOfTurns1700000000002 extends OnlineMigration implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await buildIndexes(runner, { ledger_turn: 'on ledger (space_id, turn_id) where turn_id is not null' });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index ledger_turn');
  }
}
