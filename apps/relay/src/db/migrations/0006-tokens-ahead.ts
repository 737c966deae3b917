import { changeBriefly, OnlineMigration } from '@switchyard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Tokens preleased for future calls, in addition to those of running calls. */
export class TokensAhead1700000000006 extends OnlineMigration implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await changeBriefly(runner, async () => {
      await runner.query(
        'alter table leases add column if not exists ahead bigint not null default 0 check (ahead >= 0)',
      );
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table leases drop column ahead');
  }
}
