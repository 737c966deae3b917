import { alterBriefly, buildIndexes, dropIndexes, OnlineMigration } from '@switchyard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Lists of executions, of the whole Space or of one task, newest first: each combination of trigger and status is a
 * range of the index, so that a rare status is found as quickly as a common one. `parent` names the work that started
 * the execution, where it was not its event.
 */
export class ListExecutionsOfSpaces1700000000004 extends OnlineMigration implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await alterBriefly(
      runner,
      'alter table executions add column if not exists rerun_of uuid, add column if not exists parent text',
    );
    await buildIndexes(runner, {
      executions_of_space: 'on executions (space_id, kind, status, created_at, id)',
      executions_of_task: 'on executions (space_id, task_id, kind, status, created_at, id)',
      executions_of_user:
        'on executions (space_id, requested_by, status, created_at, id) where requested_by is not null',
      // A run that nothing caused bears its own id here, and is found by that.
      executions_chain: 'on executions (space_id, correlation_id, id) where correlation_id <> id',
    });
    await dropIndexes(runner, 'executions_list');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('create index executions_list on executions (space_id, task_id, id)');
    await runner.query('drop index executions_of_space, executions_of_task, executions_of_user, executions_chain');
    await runner.query('alter table executions drop column rerun_of, drop column parent');
  }
}
