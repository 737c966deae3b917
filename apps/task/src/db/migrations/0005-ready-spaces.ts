import { alterBriefly, dropReadySpacesTable, OnlineMigration, readySpacesTable } from '@switchyard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Workers find Spaces with something to run without looking at all others. */
export class CreateReadySpaces1700000000005 extends OnlineMigration implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await readySpacesTable(runner, { table: 'executions', status: 'status', queued: ['QUEUED'], busy: ['RUNNING'] });
    // A higher limit of a task lets its Space go on.
    await alterBriefly(
      runner,
      'drop trigger if exists ready_when_limit_changed on tasks',
      `create trigger ready_when_limit_changed after update of concurrency_limit on tasks for each row
       when (new.concurrency_limit > old.concurrency_limit) execute function mark_space_unblocked()`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop trigger ready_when_limit_changed on tasks');
    await dropReadySpacesTable(runner, { table: 'executions' });
  }
}
