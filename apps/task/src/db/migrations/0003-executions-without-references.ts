import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Each execution and each of its steps locked the row that it belongs to, to make sure that it is there. It always is:
 * a task is never deleted but marked, and executions go together with their steps, in one statement.
 */
export class FreeExecutionsOfReferences1700000000003 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table executions drop constraint executions_space_id_task_id_fkey');
    await runner.query('alter table execution_steps drop constraint execution_steps_space_id_execution_id_fkey');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table executions add foreign key (space_id, task_id) references tasks (space_id, id)');
    await runner.query(
      'alter table execution_steps add foreign key (space_id, execution_id) references executions (space_id, id) on delete cascade',
    );
  }
}
