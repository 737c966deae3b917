import { alterBriefly, asOwner, OnlineMigration } from '@switchyard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const MONTH = `date_trunc('month', statement_timestamp() at time zone 'utc')`;

/** Usage of a Space in the calendar month, in addition to that of the day. */
export class UseOfTheMonth1700000000008 extends OnlineMigration implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await alterBriefly(
      runner,
      `alter table accounts add column if not exists month date,
        add column if not exists monthly_used bigint not null default 0,
        add column if not exists monthly_calls bigint not null default 0,
        add column if not exists monthly_cost numeric not null default 0`,
    );
    await asOwner(runner, ['accounts', 'usage_sums', 'usage_summed', 'ledger'], () => countMonth(runner));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`alter table accounts drop column month, drop column monthly_used, drop column monthly_calls,
      drop column monthly_cost`);
  }
}

/** By the sums of days and the entries since, so that no ledger is read as a whole. */
async function countMonth(runner: QueryRunner): Promise<void> {
  const spaces = (await runner.query(
    `select space_id from accounts where month is null and day >= ${MONTH}::date`,
  )) as { space_id: string }[];
  for (const { space_id: id } of spaces)
    await runner.query(
      `update accounts a set month = ${MONTH}::date, monthly_used = u.tokens, monthly_calls = u.calls, monthly_cost = u.cost
       from (
         select coalesce(sum(tokens), 0) as tokens, coalesce(sum(calls), 0) as calls, coalesce(sum(cost), 0) as cost
         from (
           select tokens, calls, cost from usage_sums
            where space_id = $1 and dimension = 'day' and grain = 'day' and start >= ${MONTH} at time zone 'utc'
           union all
           select -tokens, 1, coalesce(cost, 0) from ledger
            where space_id = $1 and type = 'SETTLEMENT' and created_at >= ${MONTH} at time zone 'utc'
              and seq > coalesce((select until from usage_summed where space_id = $1), 0)) parts) u
       where a.space_id = $1 and a.month is null`,
      [id],
    );
}
