import { alterBriefly, OnlineMigration } from '@switchyard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Each turn changes the row of its session twice. A new version that finds room on the page of the row needs no entry
 * in the indexes, of which one has the trigrams of the title. Turns that end together share a transaction, and their
 * sessions a page, so one page has several versions that are needed at the same time.
 */
export class SessionFillFactor1700000006000 extends OnlineMigration implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await alterBriefly(runner, 'alter table sessions set (fillfactor = 70)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await alterBriefly(runner, 'alter table sessions reset (fillfactor)');
  }
}
