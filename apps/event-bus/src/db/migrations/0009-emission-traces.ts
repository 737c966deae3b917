import { alterBriefly, OnlineMigration } from '@switchyard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Deliveries to endpoints are sent later, often by another process, and carry the trace of their emission. */
export class EmissionTraces1700000009000 extends OnlineMigration implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await alterBriefly(runner, 'alter table emissions add column if not exists traceparent text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await alterBriefly(runner, 'alter table emissions drop column if exists traceparent');
  }
}
