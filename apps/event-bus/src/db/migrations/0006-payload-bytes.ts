import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How much of a Space waits is summed up often: the size is written down once. */
export class KeepPayloadBytes1700000000006 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table emissions add column payload_bytes int not null default 0');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table emissions drop column payload_bytes');
  }
}
