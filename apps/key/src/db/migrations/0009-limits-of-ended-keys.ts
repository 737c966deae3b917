import { tenantTable } from '@switchyard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Limits of a deleted key, which still apply to tasks that it saved. */
export class LimitsOfEndedKeys1700000000009 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await tenantTable(runner, 'ended_key_limits', `limits jsonb not null`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table ended_key_limits');
  }
}
