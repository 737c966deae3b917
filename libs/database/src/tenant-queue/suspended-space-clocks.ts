import type { QueryRunner } from 'typeorm';
import type { Read } from '../transactions/database';
import type { Tx } from '../transactions/transaction';
import { protectTable } from '../migrations/tables';

/**
 * `stopped_clocks` has a row for each suspended Space known to this service. While it exists, deadlines of the Space do
 * not pass; when it is removed, they are moved by its duration.
 *
 * `moved_clocks` has a row for each Space that was suspended and resumed: the time up to which its deadlines were
 * moved. If a process writes an outdated stop after that, the same suspension does not count twice.
 */
export async function clockTables(runner: QueryRunner): Promise<void> {
  await runner.query(
    'create table stopped_clocks (space_id uuid primary key, since timestamptz not null default clock_timestamp())',
  );
  await runner.query('create table moved_clocks (space_id uuid primary key, until timestamptz not null)');
  for (const table of ['stopped_clocks', 'moved_clocks']) await protectTable(runner, table);
}

/** SQL: the Space is not suspended. The list is read once for a statement. */
export const clockRuns = (spaceId = 'space_id'): string =>
  `${spaceId} <> all(array(select space_id from stopped_clocks))`;

/** SQL: the deadline has passed (with a tolerance for timers) and the Space is not suspended. */
export const isOverTime = `deadline_at < (select clock_timestamp()) + interval '1 second' and ${clockRuns()}`;

/** Most Spaces with overdue rows checked in one round. */
export const LATE_SPACES_AT_ONCE = 500;

/**
 * SQL of an update that moves times of a Space. Joins `started (space_id, pause, until)`: times that began to run after
 * `until` stay.
 */
export type MoveTimes = string;

/** For a service with a queue: its waiting rows may be claimed again. */
export const READY_AGAIN: MoveTimes =
  'update ready_spaces r set due_at = clock_timestamp() from started where r.space_id = started.space_id';

export const anyClockStopped: Read = {
  name: 'any-clock-stopped',
  params: [],
  sql: 'select 1 from stopped_clocks limit 1',
};

export interface StoppedClock {
  spaceId: string;
  /** Null if it is not known: now. */
  since: string | null;
}

/** Serialises stops and starts of a Space: each sees what the one before it wrote. */
const lockClocks = (spaceIds: readonly string[]): Read => ({
  name: 'lock-clocks',
  params: [spaceIds],
  sql: `select pg_advisory_xact_lock(hashtextextended(id::text, 38))
    from (select id from unnest($1::uuid[]) given (id) order by id) ordered`,
});

/** An earlier `since` replaces a later one: that was the time at which the suspension was noticed. */
export const stopClocks = (stops: readonly StoppedClock[]): Read[] => {
  const spaceIds = stops.map(({ spaceId }) => spaceId);
  return [
    lockClocks(spaceIds),
    {
      name: 'stop-clocks',
      params: [spaceIds, stops.map(({ since }) => since)],
      sql: `insert into stopped_clocks as stopped (space_id, since)
        select given.space_id, least(greatest(moved.until, given.since), clock_timestamp())
        from unnest($1::uuid[], $2::timestamptz[]) given (space_id, since) left join moved_clocks moved using (space_id)
        on conflict (space_id) do update set since = excluded.since where excluded.since < stopped.since`,
    },
  ];
};

/**
 * Once for each stop, also with several processes: the same statement removes the stop's row. With `since` only the
 * stop of that time ends, and none that was written meanwhile.
 */
export const startClocks = (spaceId: string, since: string | null, moves: readonly MoveTimes[]): Read[] => [
  lockClocks([spaceId]),
  {
    name: 'start-clocks',
    params: [spaceId, since],
    sql: `with started as (
      delete from stopped_clocks where space_id = $1 and ($2::timestamptz is null or since = $2)
        returning space_id, greatest(interval '0', clock_timestamp() - since) as pause, 'infinity'::timestamptz as until),
      noted as (insert into moved_clocks (space_id, until) select space_id, clock_timestamp() from started
        on conflict (space_id) do update set until = excluded.until returning 1)${allOf(moves)}
    select space_id from started`,
  },
];

const allOf = (moves: readonly MoveTimes[]): string =>
  moves.map((move, at) => `, moved_${at} as (${move} returning 1)`).join('');

/** A suspension that has ended. */
export interface EndedStop {
  spaceId: string;
  since: string;
  until: string;
}

const isMissed = 'coalesce(moved.until < given.until, true) and coalesce(stopped.since >= given.until, true)';
const WITH_CLOCKS = 'left join moved_clocks moved using (space_id) left join stopped_clocks stopped using (space_id)';

/** Those for which the times of their Spaces were not moved. */
export const missedStops = (stops: readonly EndedStop[]): Read => ({
  name: 'missed-stops',
  params: [stops.map(({ spaceId }) => spaceId), stops.map(({ until }) => until)],
  sql: `select given.space_id from unnest($1::uuid[], $2::timestamptz[]) given (space_id, until) ${WITH_CLOCKS} where ${isMissed}`,
});

/** For a suspension that began and ended while this service was away; nothing if the times were moved for it before. */
export const moveClocks = ({ spaceId, since, until }: EndedStop, moves: readonly MoveTimes[]): Read[] => [
  lockClocks([spaceId]),
  {
    name: 'move-clocks',
    params: [spaceId, since, until],
    sql: `with started as (
      select given.space_id, given.until - greatest(given.since, moved.until) as pause, given.until
        from (select $1::uuid as space_id, $2::timestamptz as since, $3::timestamptz as until) given
        ${WITH_CLOCKS} where ${isMissed}),
      noted as (insert into moved_clocks (space_id, until) select space_id, until from started
        on conflict (space_id) do update set until = excluded.until returning 1)${allOf(moves)}
    select space_id from started`,
  },
];

/** Longer than the key service is asked for suspensions that have ended. */
const MOVED_CLOCKS_DAYS = 30;

export const deleteOldMovedClocks = (tx: Tx, limit: number): Promise<number> =>
  tx.count(
    `delete from moved_clocks where space_id = any (array(select space_id from moved_clocks
       where until < (select clock_timestamp()) - make_interval(days => $1) limit $2 for update skip locked))`,
    [MOVED_CLOCKS_DAYS, limit],
  );

/** A page in the order of the Spaces. `since` is text: a date of JavaScript has no microseconds. */
export const stoppedAfter = (after: string | null, limit: number): Read => ({
  name: 'stopped-after',
  params: [after, limit],
  sql: `select space_id, since::text as since from stopped_clocks where $1::uuid is null or space_id > $1
    order by space_id limit $2`,
});
