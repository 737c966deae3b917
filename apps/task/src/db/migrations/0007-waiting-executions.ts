import { alterBriefly, buildIndexes, OnlineMigration } from '@switchyard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Executions that wait for a turn are held by nobody: the end of the turn finds them. Steps know how large they are. */
export class WaitForTurns1700000000007 extends OnlineMigration implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await alterBriefly(
      runner,
      'alter table executions add column if not exists waiting_turn uuid, add column if not exists looks int not null default 0',
    );
    await alterBriefly(runner, 'alter table execution_steps add column if not exists bytes int not null default 0');
    await buildIndexes(runner, {
      executions_of_turn: 'on executions (space_id, waiting_turn) where waiting_turn is not null',
      executions_to_stop: 'on executions (finished_at) where waiting_turn is not null and finished_at is not null',
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table execution_steps drop column bytes');
    await runner.query('drop index executions_of_turn, executions_to_stop');
    await runner.query('alter table executions drop column waiting_turn, drop column looks');
  }
}
