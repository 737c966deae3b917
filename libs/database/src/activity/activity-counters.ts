import type { Read, Database } from '../transactions/database';
import type { Tx } from '../transactions/transaction';
import { type ActivitySource, EVERYBODY, hourOf } from './activity-source';

const FOLD = `
  with gone as (
    delete from activity_deltas where ctid = any(array(select ctid from activity_deltas limit $1 for update skip locked))
    returning space_id, owner_id, hour, status, n),
  sums as (
    select space_id, owner_id, hour, status, sum(n) as n from (
      select * from gone
      union all
      select space_id, '${EVERYBODY}'::uuid, hour, status, n from gone where owner_id <> '${EVERYBODY}') changes
    group by 1, 2, 3, 4),
  added as (
    insert into activity_counts as c (space_id, owner_id, hour, status, n) select * from sums
    on conflict (space_id, owner_id, hour, status) do update set n = c.n + excluded.n)
  select count(*)::int as folded from gone`;

/** Finds a row if there is a change that is not in its counter yet. */
export const anyActivityDeltas: Read = {
  name: 'any-activity-deltas',
  params: [],
  sql: 'select 1 from activity_deltas limit 1',
};

export const activityCounters = {
  /** Counts by status over whole hours; of one owner, or of all. */
  count(spaceId: string, owner: string | null, range: { from: string | null; to: string | null }): Read {
    return {
      name: 'count-activity',
      params: [spaceId, owner ?? EVERYBODY, range.from, range.to, owner],
      sql: `select status, sum(n)::bigint as count from (
              select status, n from activity_counts
               where space_id = $1 and owner_id = $2
                 and hour >= coalesce(${hourOf('$3::timestamptz')}, -2147483648) and hour < coalesce(ceil(extract(epoch from $4::timestamptz) / 3600)::int, 2147483647)
              union all
              select status, n from activity_deltas
               where space_id = $1 and ($5::uuid is null or owner_id = $5)
                 and hour >= coalesce(${hourOf('$3::timestamptz')}, -2147483648) and hour < coalesce(ceil(extract(epoch from $4::timestamptz) / 3600)::int, 2147483647)) numbers
             group by status having sum(n) > 0 order by status`,
    };
  },

  /** Of a table with an audience: rows in the same hours that the viewer may not see. They are few, and have an index. */
  countHidden(
    { table, status, at }: ActivitySource,
    audience: string,
    { spaceId, viewer }: { spaceId: string; viewer: string },
    range: { from: string | null; to: string | null },
  ): Read {
    return {
      name: 'count-hidden-activity',
      params: [spaceId, viewer, range.from, range.to],
      sql: `select ${status} as status, count(*) as count from ${table}
             where space_id = $1 and ${audience} is not null and ${audience} <> $2
               and ${at} >= coalesce(date_trunc('hour', $3::timestamptz, 'UTC'), '-infinity')
               and ${at} < coalesce(date_trunc('hour', $4::timestamptz + interval '1 hour' - interval '1 microsecond', 'UTC'), 'infinity')
             group by 1`,
    };
  },

  /** Adds up to `limit` changes to their counters and returns their number. One process of the service at a time. */
  foldDeltas(database: Database, limit: number): Promise<number> {
    return database.system('add up activity counters', async (tx) => {
      const lock = await tx.one<{ locked: boolean }>(
        'select pg_try_advisory_xact_lock(74101, hashtext(current_schema())) as locked',
      );
      if (!lock?.locked) return 0;
      const row = await tx.one<{ folded: number }>(FOLD, [limit]);
      return row?.folded ?? 0;
    });
  },

  /** Deletes counters of hours without rows. */
  deleteSpent(tx: Tx, limit: number): Promise<number> {
    return tx.count(
      `delete from activity_counts where ctid = any(array(
         select ctid from activity_counts where n = 0 and hour < ${hourOf('clock_timestamp()')} - 1 limit $1 for update skip locked))`,
      [limit],
    );
  },
};
