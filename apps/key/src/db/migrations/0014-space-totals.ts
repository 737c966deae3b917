import { asOwner, buildIndexes, changeBriefly, globalTable, OnlineMigration, protectTable } from '@switchyard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Counts of other services for each Space, for operators' lists; and the creator of each Space. */
export class SpaceTotals1700000000014 extends OnlineMigration implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await changeBriefly(runner, async () => {
      const [row] = (await runner.query(`select to_regclass('space_totals') is not null as there`)) as {
        there: boolean;
      }[];
      if (row?.there === true) return;
      await runner.query(`create table space_totals (
        space_id uuid primary key,
        balance bigint not null default 0,
        month date,
        tokens bigint not null default 0,
        daily_tokens bigint not null default 0,
        calls bigint not null default 0,
        cost numeric not null default 0,
        used_at timestamptz,
        bytes bigint not null default 0,
        records bigint not null default 0,
        stored_at timestamptz
      )`);
      await protectTable(runner, 'space_totals');
      // Of people, not of a Space: a person's Spaces are counted while one is made.
      await globalTable(
        runner,
        'space_makers',
        'space_id uuid primary key, user_id uuid not null, made_at timestamptz not null default now()',
      );
      await runner.query('create index space_makers_of_a_user on space_makers (user_id, made_at)');
    });
    await asOwner(runner, ['spaces', 'space_totals'], async () => {
      await runner.query('insert into space_totals (space_id) select space_id from spaces on conflict do nothing');
    });
    await buildIndexes(runner, {
      space_totals_by_tokens: 'on space_totals (tokens desc, space_id desc)',
      space_totals_by_bytes: 'on space_totals (bytes desc, space_id desc)',
      space_totals_by_month: 'on space_totals (month)',
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table space_totals, space_makers');
  }
}
