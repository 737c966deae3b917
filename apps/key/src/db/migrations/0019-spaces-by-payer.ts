import { buildIndexes, dropIndexes, OnlineMigration } from '@switchyard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A Space's payer changes with the payer of the Space that pays for it: those it pays for are looked up. */
export class SpacesByPayer1700000000019 extends OnlineMigration implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await buildIndexes(runner, { spaces_by_payer: `on spaces (payer_id) where payer_kind = 'space'` });
  }

  async down(runner: QueryRunner): Promise<void> {
    await dropIndexes(runner, 'spaces_by_payer');
  }
}
