import { changeBriefly, OnlineMigration, protectTable } from '@switchyard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** One sum of reserved tokens for each relay, Space and key. */
export class Leases1700000000004 extends OnlineMigration implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await changeBriefly(runner, async () => {
      const [row] = (await runner.query(`select to_regclass('leases') is not null as there`)) as { there: boolean }[];
      if (row?.there === true) return;
      // The key is an empty text where a call has none.
      await runner.query(`create table leases (
        space_id uuid not null,
        holder uuid not null,
        key_id text not null,
        tokens bigint not null check (tokens >= 0),
        written_at timestamptz not null default clock_timestamp(),
        primary key (space_id, holder, key_id)
      ) with (fillfactor = 50)`);
      await protectTable(runner, 'leases');
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table leases');
  }
}
