import { alterBriefly, buildIndexes, OnlineMigration } from '@switchyard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A text knows the worker that embeds it, and how often its process has ended meanwhile. */
export class EmbeddingLosses1700000000017 extends OnlineMigration implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await alterBriefly(
      runner,
      `alter table record_vectors add column if not exists worker text,
         add column if not exists losses smallint not null default 0, add column if not exists lost_at timestamptz`,
    );
    await buildIndexes(runner, { record_vectors_claimed: 'on record_vectors (worker) where worker is not null' });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index record_vectors_claimed');
    await runner.query('alter table record_vectors drop column worker, drop column losses, drop column lost_at');
  }
}
