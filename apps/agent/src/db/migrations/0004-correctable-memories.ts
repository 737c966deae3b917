import { alterBriefly, buildIndexes, OnlineMigration } from '@switchyard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Memories that were saved before know no turn; an `updated_at` of null means that nobody has corrected it. */
export class CorrectableMemories1700000000004 extends OnlineMigration implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await alterBriefly(
      runner,
      'alter table memories add column if not exists turn_id uuid, add column if not exists updated_at timestamptz',
    );
    await buildIndexes(runner, { memories_newest: 'on memories (space_id, agent_id, id desc)' });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index memories_newest');
    await runner.query('alter table memories drop column turn_id, drop column updated_at');
  }
}
