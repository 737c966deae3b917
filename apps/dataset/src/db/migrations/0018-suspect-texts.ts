import { buildIndexes, dropIndexes, OnlineMigration } from '@switchyard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Texts that were lost once are looked for while fresh ones wait for them. */
export class SuspectTexts1700000000018 extends OnlineMigration implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await buildIndexes(runner, {
      record_vectors_suspect: `on record_vectors (due_at) where losses > 0 and state = 'PENDING'`,
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await dropIndexes(runner, 'record_vectors_suspect');
  }
}
