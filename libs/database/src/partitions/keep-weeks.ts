import type { Database } from '../transactions/database';
import { isHeldByOthers } from '../client/errors';
import type { Tx } from '../transactions/tx';
import { WEEK_LOCK_WAIT_MS } from './weekly-functions';
import { WEEKS_AHEAD, type WeeklyTable, beforeOf, restOf } from './weekly-table';

/** Clocks of services say the week of a row, the clock of the database when it came. */
const SLACK_DAYS = 1;

/** Of a week: it is dropped now, it stays, others held what it needs, or another replica has it. */
type Dropping = 'dropped' | 'young' | 'held' | 'gone';

/** One replica drops a week. */
const DROPPING_WEEKS = 74202;

/** What a service does for a table in weeks: makes those to come, and drops those whose time is over. */
export const weeks = {
  /** Makes the next week unless there are enough. False where there are, or where others held what it needs. */
  async makeNext(database: Database, { table }: WeeklyTable): Promise<boolean> {
    const made = await unlessHeld(() =>
      database.system('make a week', (tx) =>
        tx.one<{ made: boolean }>(`select make_${table}_week($1) as made`, [WEEKS_AHEAD]),
      ),
    );
    return made?.made === true;
  },

  /** Days until the last week that is there ends. */
  async daysAhead(database: Database, { table }: WeeklyTable): Promise<number> {
    const row = await database.system('look how far the weeks reach', (tx) =>
      tx.one<{ days: number }>(
        `select (extract(epoch from max(until_at) - clock_timestamp()) / 86400)::float8 as days from weeks_of($1::regclass)`,
        [table],
      ),
    );
    return row?.days ?? 0;
  },

  /** The weeks that ended long enough ago, the oldest first. */
  async due(database: Database, { table }: WeeklyTable, days: number): Promise<string[]> {
    const rows = await database.system('look for old weeks', (tx) =>
      tx.query<{ name: string }>(
        `select name from weeks_of($1::regclass)
          where until_at < (select clock_timestamp()) - make_interval(days => $2::int) order by until_at`,
        [table, days + SLACK_DAYS],
      ),
    );
    return rows.map(({ name }) => name);
  },

  /**
   * Drops a week as a whole, unless a row came to it later than its id says and still has time. Who writes meanwhile
   * waits for a moment and no longer: it asks for its lock briefly, and steps back.
   */
  async drop(database: Database, weekly: WeeklyTable, week: string, days: number): Promise<Dropping> {
    const done = await unlessHeld(() =>
      database.system('drop an old week', async (tx) => {
        if (!(await isMine(tx, week))) return 'gone';
        await tx.run(`set local lock_timeout = ${WEEK_LOCK_WAIT_MS}`);
        // By the index of the times, which are near one another in a week.
        await tx.run('set local enable_seqscan = off');
        if (await hasYoung(tx, weekly, week, days)) return 'young';
        await tx.run(`lock table only ${weekly.table} in access exclusive mode`);
        if (await hasYoung(tx, weekly, week, days)) return 'young';
        await tx.run(`select drop_${weekly.table}_week($1, $2)`, [week, days]);
        return 'dropped';
      }),
    );
    return done ?? 'held';
  },

  /** Rows that are in no week go one by one. */
  async forgetLoose(tx: Tx, weekly: WeeklyTable, days: number, limit: number): Promise<number> {
    let most = 0;
    for (const table of [beforeOf(weekly), restOf(weekly)]) {
      const there = await tx.one<{ there: boolean }>('select to_regclass($1) is not null as there', [table]);
      if (there?.there !== true) continue;
      const rows = await tx.count(
        `delete from ${table} where ctid = any(array(
           select ctid from ${table} where ${weekly.at} < (select clock_timestamp()) - make_interval(days => $1) limit $2 for update skip locked))`,
        [days, limit],
      );
      most = Math.max(most, rows);
    }
    return most;
  },
};

async function isMine(tx: Tx, week: string): Promise<boolean> {
  const lock = await tx.one<{ mine: boolean }>(
    `select pg_try_advisory_xact_lock(${DROPPING_WEEKS}, hashtext(current_schema() || '.' || $1)) as mine`,
    [week],
  );
  if (lock?.mine !== true) return false;
  const found = await tx.one<{ there: boolean }>('select to_regclass($1) is not null as there', [week]);
  return found?.there === true;
}

async function hasYoung(tx: Tx, { at }: WeeklyTable, week: string, days: number): Promise<boolean> {
  const row = await tx.one<{ young: boolean }>(
    `select exists (select 1 from ${week} where ${at} >= (select clock_timestamp()) - make_interval(days => $1)) as young`,
    [days],
  );
  return row?.young === true;
}

async function unlessHeld<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    if (isHeldByOthers(error)) return null;
    throw error;
  }
}
