import { rolesOf } from '@switchyard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Each later `setup` had given back what the first migration took: the right to change the ledger. */
export class LedgerOnlyGrows1700000000005 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const { app, system } = await rolesOf(runner);
    await runner.query(`revoke update, delete, truncate on ledger from ${app}, ${system}`);
  }

  down(): Promise<void> {
    return Promise.resolve();
  }
}
