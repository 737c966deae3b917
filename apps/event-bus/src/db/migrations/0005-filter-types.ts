import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Field types of a watched dataset: filters compare decimals and times by value. */
export class KeepFilterTypes1700000000005 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table registered_events add column emit_types jsonb');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table registered_events drop column emit_types');
  }
}
