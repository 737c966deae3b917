import { dropReadySpacesTable, OnlineMigration, readySpacesTable } from '@switchyard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Workers find Spaces with something to run without looking at all others. */
export class CreateReadySpaces1700000000003 extends OnlineMigration implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await readySpacesTable(runner, {
      table: 'jobs',
      status: 'phase',
      queued: ['QUEUED', 'RETRYING'],
      busy: ['RUNNING', 'CANCELLING'],
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await dropReadySpacesTable(runner, { table: 'jobs' });
  }
}
