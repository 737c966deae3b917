import { SIZES } from '@switchyard/contracts';
import { markOversized, OnlineMigration, unmarkOversized, type WeighedTable } from '@switchyard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const TASKS: WeighedTable = {
  table: 'tasks',
  columns: ['steps', 'inputs', 'metadata'],
  fields: [
    { path: 'steps', value: 'steps', limit: SIZES.steps },
    { path: 'inputs', value: 'inputs', limit: SIZES.defaultInputs },
    { path: 'metadata', value: 'metadata', limit: SIZES.metadata },
  ],
  whenFar: { active: 'false', next_run_at: 'null' },
};

/** Tasks from before their fields had limits: marked, and made inactive where nothing reads them any more. */
export class MarkOversizedTasks1700000000014 extends OnlineMigration implements MigrationInterface {
  up(runner: QueryRunner): Promise<void> {
    return markOversized(runner, TASKS);
  }

  down(runner: QueryRunner): Promise<void> {
    return unmarkOversized(runner, TASKS);
  }
}
