import type { QueryRunner } from 'typeorm';
import type { Read } from '../transactions/database';
import { changeBriefly } from '../migrations/online';
import { protectTable } from '../migrations/tables';
import type { Tx } from '../transactions/tx';

/**
 * `stopped_clocks` has a row for each suspended Space known to this service. While it exists, deadlines of the Space do
 * not pass; when it is removed, they are moved by its duration.
 */
export async function stoppedClocksTable(runner: QueryRunner): Promise<void> {
  await changeBriefly(runner, async () => {
    const [row] = (await runner.query(`select to_regclass('stopped_clocks') is not null as there`)) as {
      there: boolean;
    }[];
    if (row?.there === true) return;
    await runner.query(
      'create table stopped_clocks (space_id uuid primary key, since timestamptz not null default clock_timestamp())',
    );
    await protectTable(runner, 'stopped_clocks');
  });
}

export async function dropStoppedClocksTable(runner: QueryRunner): Promise<void> {
  await runner.query('drop table stopped_clocks');
}

/** SQL: the Space is not suspended. The list is read once for a statement. */
export const clockRuns = (spaceId = 'space_id'): string =>
  `${spaceId} <> all(array(select space_id from stopped_clocks))`;

/** SQL: the deadline has passed (with a tolerance for timers) and the Space is not suspended. */
export const isOverTime = `deadline_at < (select clock_timestamp()) + interval '1 second' and ${clockRuns()}`;

/** Most Spaces with overdue rows checked in one round. */
export const LATE_SPACES_AT_ONCE = 500;

/** SQL of an update that moves times of a Space. Joins `started (space_id, pause)`. */
export type MoveTimes = string;

/** For a service with a queue: its waiting rows may be claimed again. */
export const READY_AGAIN: MoveTimes =
  'update ready_spaces r set due_at = clock_timestamp() from started where r.space_id = started.space_id';

export const anyClockStopped: Read = {
  name: 'any-clock-stopped',
  params: [],
  sql: 'select 1 from stopped_clocks limit 1',
};

export const stopClocks = (spaceIds: readonly string[]): Read => ({
  name: 'stop-clocks',
  params: [spaceIds],
  sql: 'insert into stopped_clocks (space_id) select unnest($1::uuid[]) on conflict do nothing',
});

/** Once for each stop, also with several processes: the same statement removes the stop's row. */
export const startClocks = (spaceId: string, moves: readonly MoveTimes[]): Read => ({
  name: 'start-clocks',
  params: [spaceId],
  sql: `with started as (
      delete from stopped_clocks where space_id = $1 returning space_id, clock_timestamp() - since as pause)${moves
        .map((move, at) => `, moved_${at} as (${move} returning 1)`)
        .join('')}
    select space_id from started`,
});

export async function stoppedSpaces(tx: Tx, limit: number): Promise<string[]> {
  const rows = await tx.query<{ spaceId: string }>('select space_id from stopped_clocks order by since limit $1', [
    limit,
  ]);
  return rows.map(({ spaceId }) => spaceId);
}
