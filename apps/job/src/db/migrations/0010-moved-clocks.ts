import { dropMovedClocksTable, movedClocksTable, OnlineMigration } from '@switchyard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Up to when the times of a Space that was suspended have been moved on. */
export class MovedClocks1700000000010 extends OnlineMigration implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await movedClocksTable(runner);
  }

  async down(runner: QueryRunner): Promise<void> {
    await dropMovedClocksTable(runner);
  }
}
