import { OnlineMigration, buildIndexes, dropIndexes } from '@switchyard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Costs of turns are read from the index alone: their entries are on a page each. */
export class CostsOfTurns1700000002000 extends OnlineMigration implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await buildIndexes(runner, {
      ledger_costs_of_turns: `on ledger (space_id, turn_id, user_id) include (tokens, prompt_tokens, cost)
        where turn_id is not null and type = 'SETTLEMENT'`,
    });
    await dropIndexes(runner, 'ledger_turn');
  }

  async down(runner: QueryRunner): Promise<void> {
    await buildIndexes(runner, { ledger_turn: 'on ledger (space_id, turn_id) where turn_id is not null' });
    await dropIndexes(runner, 'ledger_costs_of_turns');
  }
}
