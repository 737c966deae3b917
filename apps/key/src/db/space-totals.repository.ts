import { Injectable } from '@nestjs/common';
import type { SpaceTotals, StoredTotals } from '@switchyard/contracts';
import type { Tx } from '@switchyard/database';

/** Reports of other services about Spaces. Outdated reports are ignored. */
@Injectable()
export class SpaceTotalsRepository {
  async add(tx: Tx, spaceId: string, balance: number): Promise<void> {
    await tx.run('insert into space_totals (space_id, balance) values ($1, $2) on conflict do nothing', [
      spaceId,
      balance,
    ]);
  }

  async noteUsed(tx: Tx, rows: readonly SpaceTotals[]): Promise<void> {
    await tx.run(
      `update space_totals t set balance = r.balance, month = r.month, tokens = r."monthlyTokens",
         daily_tokens = r."dailyTokens", calls = r.calls, cost = r.cost, used_at = r.at
       from jsonb_to_recordset($1::jsonb) as r ("spaceId" uuid, balance bigint, month date, "monthlyTokens" bigint,
         "dailyTokens" bigint, calls bigint, cost numeric, at timestamptz)
       where t.space_id = r."spaceId" and (t.used_at is null or t.used_at <= r.at)`,
      [JSON.stringify(rows)],
    );
  }

  async noteStored(tx: Tx, rows: readonly StoredTotals[]): Promise<void> {
    await tx.run(
      `update space_totals t set bytes = r.bytes, records = r.records, stored_at = r.at
       from jsonb_to_recordset($1::jsonb) as r ("spaceId" uuid, bytes bigint, records bigint, at timestamptz)
       where t.space_id = r."spaceId" and (t.stored_at is null or t.stored_at <= r.at)`,
      [JSON.stringify(rows)],
    );
  }

  /** On the first of a month, earlier use stops counting. Says how many Spaces that concerned. */
  async endMonth(tx: Tx, limit: number): Promise<number> {
    return tx.count(
      `update space_totals set month = null, tokens = 0, daily_tokens = 0, calls = 0, cost = 0
       where space_id in (select space_id from space_totals
         where month < date_trunc('month', statement_timestamp() at time zone 'utc')::date limit $1)`,
      [limit],
    );
  }
}
