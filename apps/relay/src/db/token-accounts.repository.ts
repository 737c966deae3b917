import { Injectable } from '@nestjs/common';
import type { SpaceTotals } from '@switchyard/contracts';
import type { Database, Tx } from '@switchyard/database';
import { newId } from '@switchyard/kernel';
import { THIS_MONTH, TODAY } from './key-accounts.repository';

export interface AccountRow {
  balance: number;
  /** Tokens reserved by running calls. */
  reserved: number;
  /** Tokens preleased for future calls; unused ones are returned. */
  ahead: number;
  dailyUsed: number;
  monthlyUsed: number;
}

/** Tokens that the relays have preleased in a Space. */
export const preleasedIn = (spaceId: string): string =>
  `coalesce((select sum(o.ahead) from leases o where o.space_id = ${spaceId}), 0)`;

@Injectable()
export class TokenAccountsRepository {
  /** Makes the account of a Space that is seen for the first time, with the tokens that it starts with. */
  async open(tx: Tx, spaceId: string, initialTokens: number): Promise<void> {
    const made = await tx.count(
      'insert into accounts (space_id, balance) values ($1, $2) on conflict (space_id) do nothing',
      [spaceId, initialTokens],
    );
    if (made === 0 || initialTokens === 0) return;
    await tx.run(
      `insert into ledger (space_id, id, type, tokens, balance_after, note) values ($1, $2, 'CREDIT', $3, $3, 'Tokens that the Space starts with')`,
      [spaceId, newId(), initialTokens],
    );
  }

  /** Adds to the balance, or takes from it; the account is there. Returns the balance after. */
  async change(tx: Tx, spaceId: string, tokens: number): Promise<number> {
    const row = await tx.one<{ balance: number }>(
      'update accounts set balance = balance + $2 where space_id = $1 returning balance',
      [spaceId, tokens],
    );
    return row?.balance ?? 0;
  }

  /** Of those that have an account; the day and the month are those of the database. */
  async totals(database: Database, spaceIds: readonly string[]): Promise<SpaceTotals[]> {
    const [rows = []] = await database.systemRead('sum up Spaces', [
      {
        name: 'space-totals',
        sql: `select a.space_id, a.balance, to_char(${THIS_MONTH}, 'YYYY-MM-DD') as month, clock_timestamp() as at,
                case when a.day = ${TODAY} then a.daily_used else 0 end as daily_tokens,
                case when a.month = ${THIS_MONTH} then a.monthly_used else 0 end as monthly_tokens,
                case when a.month = ${THIS_MONTH} then a.monthly_calls else 0 end as calls,
                case when a.month = ${THIS_MONTH} then a.monthly_cost else 0 end as cost
              from accounts a where a.space_id = any($1::uuid[])`,
        params: [spaceIds],
      },
    ]);
    return (rows as unknown as (Omit<SpaceTotals, 'cost'> & { cost: string })[]).map((row) => ({
      ...row,
      cost: Number(row.cost),
    }));
  }

  /** Ids of Spaces with an account, in order, behind `after`. */
  async idsAfter(database: Database, after: string, limit: number): Promise<string[]> {
    const [rows = []] = await database.systemRead('list accounts', [
      {
        name: 'accounts-after',
        sql: 'select space_id from accounts where space_id > $1::uuid order by space_id limit $2::int',
        params: [after, limit],
      },
    ]);
    return rows.map((row) => row['spaceId'] as string);
  }

  async findAll(database: Database, spaceIds: readonly string[]): Promise<Map<string, AccountRow>> {
    const [rows] = await database.systemRead('read accounts', [
      {
        name: 'find-accounts',
        sql: `select a.space_id, a.balance, a.reserved, ${preleasedIn('a.space_id')}::bigint as ahead,
                case when a.day = ${TODAY} then a.daily_used else 0 end as daily_used,
                case when a.month = ${THIS_MONTH} then a.monthly_used else 0 end as monthly_used
              from accounts a where a.space_id = any($1::uuid[])`,
        params: [spaceIds],
      },
    ]);
    const found = (rows ?? []) as unknown as (AccountRow & { spaceId: string })[];
    return new Map(found.map(({ spaceId, ...row }) => [spaceId, row]));
  }
}
