import { alterBriefly, buildIndexes, OnlineMigration } from '@switchyard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** An execution that a run starts outside of a chain of events names the root of the tree that it belongs to. */
export class KeepRootsOfExecutions1700000000010 extends OnlineMigration implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await alterBriefly(runner, 'alter table executions add column if not exists root uuid');
    await buildIndexes(runner, { executions_root: 'on executions (space_id, root) where root is not null' });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index executions_root');
    await runner.query('alter table executions drop column root');
  }
}
