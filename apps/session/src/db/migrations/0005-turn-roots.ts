import { buildIndexes, OnlineMigration } from '@switchyard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Turns that a job or a run outside of a chain has begun name the root of the tree that they belong to. */
export class FindTurnsByRoot1700000000005 extends OnlineMigration implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await buildIndexes(runner, {
      turns_root: `on turns (space_id, (identity->'lineage'->>'root')) where identity->'lineage'->>'root' is not null`,
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index turns_root');
  }
}
