import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Memories that were saved before know no turn; an `updated_at` of null means that nobody has corrected it. */
export class CorrectableMemories1700000000004 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table memories add column turn_id uuid, add column updated_at timestamptz');
    await runner.query('create index memories_newest on memories (space_id, agent_id, id desc)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index memories_newest');
    await runner.query('alter table memories drop column turn_id, drop column updated_at');
  }
}
