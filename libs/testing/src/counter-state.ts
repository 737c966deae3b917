import type { AdminDatabase } from './admin-database';

/** A table with kept counters and a row of `ready_spaces` for each of its Spaces. Names are trusted. */
export interface CounterTable {
  schema: string;
  table: string;
  status: string;
  /** The owner column of a row, if any. */
  owner: string | null;
  queued: readonly string[];
}

const EVERYBODY = `'00000000-0000-0000-0000-000000000000'::uuid`;

/** Counters of these Spaces, by owner, hour and status, that differ from a recount of the rows at the same moment. */
export function wrongCounters(
  database: AdminDatabase,
  { schema, table, status, owner }: CounterTable,
  spaceIds: readonly string[],
): Promise<{ status: string; kept: string; counted: string }[]> {
  const hour = 'floor(extract(epoch from created_at) / 3600)::int';
  const recount = (who: string): string =>
    `select space_id, ${who} as owner_id, ${hour} as hour, ${status} as status, count(*) as n
       from ${schema}.${table} where space_id = any($1::uuid[]) group by 1, 2, 3, 4`;
  const owned = owner === null ? '' : `union all ${recount(owner)}`;
  const ofOwners =
    owner === null
      ? ''
      : `union all select space_id, owner_id, hour, status, n from ${schema}.activity_deltas where space_id = any($1::uuid[])`;
  return database.query(
    `with kept as (
       select space_id, owner_id, hour, status, sum(n) as n from (
         select space_id, owner_id, hour, status, n from ${schema}.activity_counts where space_id = any($1::uuid[])
         union all select space_id, ${EVERYBODY}, hour, status, n from ${schema}.activity_deltas where space_id = any($1::uuid[])
         ${ofOwners}) parts
       group by 1, 2, 3, 4),
     counted as (${recount(EVERYBODY)} ${owned})
     select status, coalesce(kept.n, 0)::text as kept, coalesce(counted.n, 0)::text as counted
       from kept full join counted using (space_id, owner_id, hour, status)
      where coalesce(kept.n, 0) <> coalesce(counted.n, 0)`,
    [spaceIds],
  );
}

/** Spaces with queued rows that no claimer would find in time: lost until another row is queued. */
export function missingSpaces(
  database: AdminDatabase,
  { schema, table, status, queued }: CounterTable,
  spaceIds: readonly string[],
): Promise<{ spaceId: string }[]> {
  return database.query(
    `select waiting.space_id as "spaceId" from (
       select space_id, min(run_at) as next_at from ${schema}.${table}
        where space_id = any($1::uuid[]) and ${status} = any($2::text[]) group by space_id) waiting
     left join ${schema}.ready_spaces ready using (space_id)
     where ready.due_at is null or ready.due_at > greatest(waiting.next_at, clock_timestamp() + interval '61 seconds')`,
    [spaceIds, queued],
  );
}
