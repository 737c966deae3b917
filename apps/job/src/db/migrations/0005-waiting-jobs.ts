import { alterBriefly, buildIndexes, OnlineMigration } from '@switchyard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Jobs that wait for their turn are held by nobody: the end of the turn finds them. */
export class WaitForTurns1700000000005 extends OnlineMigration implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await alterBriefly(runner, 'alter table jobs add column if not exists looks int not null default 0');
    await buildIndexes(runner, {
      jobs_of_turn: `on jobs (space_id, turn_id) where worker is null and phase in ('RUNNING', 'CANCELLING', 'WAITING_INPUT')`,
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index jobs_of_turn');
    await runner.query('alter table jobs drop column looks');
  }
}
