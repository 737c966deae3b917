import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Executions that wait for a turn are held by nobody: the end of the turn finds them. Steps know how large they are. */
export class WaitForTurns1700000000007 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table executions add column waiting_turn uuid, add column looks int not null default 0');
    await runner.query(
      'create index executions_of_turn on executions (space_id, waiting_turn) where waiting_turn is not null',
    );
    await runner.query(
      'create index executions_to_stop on executions (finished_at) where waiting_turn is not null and finished_at is not null',
    );
    await runner.query('alter table execution_steps add column bytes int not null default 0');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table execution_steps drop column bytes');
    await runner.query('drop index executions_of_turn, executions_to_stop');
    await runner.query('alter table executions drop column waiting_turn, drop column looks');
  }
}
