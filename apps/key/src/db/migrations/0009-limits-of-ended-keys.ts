import { tenantTable } from '@switchyard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What is kept of a key with limits when its row goes: tasks that it saved go on running within them. */
export class LimitsOfEndedKeys1700000000009 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await tenantTable(runner, 'ended_key_limits', `limits jsonb not null`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table ended_key_limits');
  }
}
