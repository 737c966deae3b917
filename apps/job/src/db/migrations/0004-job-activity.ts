import { buildIndexes, createActivityTables, dropActivityTables, OnlineMigration } from '@switchyard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { JOB_ACTIVITY } from '../job-activity';

/** Lists of jobs by time for each phase, counters by hour and phase, and notes of changes while somebody watches. */
export class CountJobs1700000000004 extends OnlineMigration implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await buildIndexes(runner, {
      jobs_of_space: 'on jobs (space_id, phase, created_at, id)',
      jobs_of_user: 'on jobs (space_id, created_by, phase, created_at, id)',
      jobs_chain: 'on jobs (space_id, correlation_id) where correlation_id is not null',
    });
    await createActivityTables(runner, JOB_ACTIVITY);
  }

  async down(runner: QueryRunner): Promise<void> {
    await dropActivityTables(runner, JOB_ACTIVITY);
    await runner.query('drop index jobs_of_space, jobs_of_user, jobs_chain');
  }
}
