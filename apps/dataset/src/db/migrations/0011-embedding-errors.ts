import { alterBriefly, buildIndexes, OnlineMigration } from '@switchyard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Why a text has no vector yet, and those that fail found without a look at those that wait. */
export class EmbeddingErrors1700000000011 extends OnlineMigration implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await alterBriefly(runner, 'alter table record_vectors add column if not exists error jsonb');
    await buildIndexes(runner, {
      record_vectors_failing: `on record_vectors (space_id, dataset_id, record_id, field)
        where (state = 'FAILED' or (state = 'PENDING' and attempts >= 3))`,
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index record_vectors_failing');
    await runner.query('alter table record_vectors drop column error');
  }
}
