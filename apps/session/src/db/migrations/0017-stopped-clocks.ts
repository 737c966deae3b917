import { dropStoppedClocksTable, OnlineMigration, stoppedClocksTable } from '@switchyard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The times of a Space stand still while it is suspended. */
export class StopClocks1700000000017 extends OnlineMigration implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await stoppedClocksTable(runner);
  }

  async down(runner: QueryRunner): Promise<void> {
    await dropStoppedClocksTable(runner);
  }
}
