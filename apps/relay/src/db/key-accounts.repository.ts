import { Injectable } from '@nestjs/common';
import type { Database, Tx } from '@switchyard/database';
import { readSummed } from './usage-group-keys';

export interface KeyUse {
  reserved: number;
  dailyUsed: number;
  monthlyUsed: number;
}

/** One day for the whole of a statement: one that began before midnight must not write yesterday's use as today's. */
export const TODAY = `(statement_timestamp() at time zone 'utc')::date`;
export const THIS_MONTH = `date_trunc('month', statement_timestamp() at time zone 'utc')::date`;

/**
 * Usage of a key from its sums and the entries since: it has an account only from when it was limited. How far the sums
 * go is read in the same statement, as they can advance meanwhile; the earlier position ($3, $4) bounds the entries for
 * the planner.
 */
const USED = `
  select coalesce(sum(tokens) filter (where at >= ${TODAY}::timestamp at time zone 'utc'), 0)::bigint as daily_used,
    coalesce(sum(tokens), 0)::bigint as monthly_used
  from (
    select start as at, tokens from usage_sums
     where space_id = $1 and dimension = 'key' and grain = 'day' and value = $2
       and start >= ${THIS_MONTH}::timestamp at time zone 'utc'
    union all
    select created_at, -tokens from ledger
     where space_id = $1 and key_id = $2 and type = 'SETTLEMENT' and seq > $3 and seq <= $4
       and seq > coalesce((select until from usage_summed where space_id = $1), 0)
       and created_at >= ${THIS_MONTH}::timestamp at time zone 'utc') parts`;

/** The accounts of keys that have token limits. A writer locks the account of the Space first. */
@Injectable()
export class KeyAccountsRepository {
  /**
   * Makes the account of a key with what the key has used so far; what it uses from now on counts for its maker too.
   */
  async open(tx: Tx, spaceId: string, keyId: string, madeByKey: string | null): Promise<void> {
    // No call of the Space is settled meanwhile: each is in the ledger before, or is added to the account after.
    await tx.run('select 1 from accounts where space_id = $1 for update', [spaceId]);
    const { until, last } = await readSummed(tx, spaceId);
    await tx.run(
      `insert into key_accounts (space_id, key_id, daily_used, day, monthly_used, month, made_by_key)
       select $1, $2, u.daily_used, ${TODAY}, u.monthly_used, ${THIS_MONTH}, $5::text from (${USED}) u
       on conflict (space_id, key_id) do nothing`,
      [spaceId, keyId, until, last, madeByKey],
    );
  }

  async find(database: Database, spaceId: string, keyId: string): Promise<KeyUse | null> {
    const [rows] = await database.systemRead('read the account of a key', [
      {
        name: 'find-key-account',
        sql: `select reserved, case when day = ${TODAY} then daily_used else 0 end as daily_used,
                case when month = ${THIS_MONTH} then monthly_used else 0 end as monthly_used
              from key_accounts where space_id = $1 and key_id = $2`,
        params: [spaceId, keyId],
      },
    ]);
    return (rows?.[0] as KeyUse | undefined) ?? null;
  }

  /** Of a key without an account: its use, and the reservations of its calls. */
  async count(tx: Tx, spaceId: string, keyId: string): Promise<KeyUse> {
    const { until, last } = await readSummed(tx, spaceId);
    const used = await tx.one<Omit<KeyUse, 'reserved'>>(USED, [spaceId, keyId, until, last]);
    const row = await tx.one<{ reserved: number }>(
      `select coalesce((select sum(tokens) from reservations where space_id = $1 and facts->>'keyId' = $2), 0)::bigint
         + coalesce((select sum(tokens) from leases where space_id = $1 and key_id = $2), 0)::bigint as reserved`,
      [spaceId, keyId],
    );
    return { reserved: row?.reserved ?? 0, dailyUsed: used?.dailyUsed ?? 0, monthlyUsed: used?.monthlyUsed ?? 0 };
  }
}
