import type { MigrationInterface, QueryRunner } from 'typeorm';

/** An import that was staged whole can be written by a worker: the row is then its job. */
export class ImportJobs1700000000006 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table imports
        add column phase text not null default 'STAGING'
          check (phase in ('STAGING', 'QUEUED', 'RUNNING', 'SUCCEEDED', 'FAILED', 'CANCELLED')),
        add column bytes bigint not null default 0, add column written bigint not null default 0,
        add column error jsonb, add column attempts int not null default 0,
        add column worker text, add column due_at timestamptz not null default clock_timestamp(),
        add column cancel_requested_at timestamptz, add column created_by uuid,
        add column touched_at timestamptz not null default clock_timestamp(),
        add column started_at timestamptz, add column finished_at timestamptz`);
    await runner.query(`create index imports_due on imports (due_at) where phase in ('QUEUED', 'RUNNING')`);
    await runner.query('create index imports_of_dataset on imports (space_id, dataset_id, id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index imports_due, imports_of_dataset');
    await runner.query(`alter table imports drop column phase, drop column bytes, drop column written, drop column error,
      drop column attempts, drop column worker, drop column due_at, drop column cancel_requested_at, drop column created_by,
      drop column touched_at, drop column started_at, drop column finished_at`);
  }
}
