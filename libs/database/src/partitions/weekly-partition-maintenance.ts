import type { Database } from '../transactions/database';
import { isLockedByOthers } from '../client/errors';
import type { Tx } from '../transactions/transaction';
import { WEEK_LOCK_WAIT_MS } from './weekly-functions';
import { FUTURE_WEEKS, type WeeklyTable, beforeOf, restOf } from './weekly-table';

/** A row's week comes from a service's clock, its time from the database's. */
const SLACK_DAYS = 1;

/** Outcome for a week: dropped, still young, locked by others, or already dropped. */
type Dropping = 'dropped' | 'young' | 'held' | 'gone';

/** Advisory lock: one replica drops partitions. */
const DROPPING_WEEKS = 74202;

/** Maintains weekly partitions: creates future weeks, drops expired ones. */
export const weeks = {
  /** Creates the next week unless enough exist. False if enough exist, or the lock timed out. */
  async makeNext(database: Database, { table }: WeeklyTable): Promise<boolean> {
    const made = await unlessLocked(() =>
      database.system('make a week', (tx) =>
        tx.one<{ made: boolean }>(`select make_${table}_week($1) as made`, [FUTURE_WEEKS]),
      ),
    );
    return made?.made === true;
  },

  /** Days until the last week ends. */
  async daysUntilLastEnds(database: Database, { table }: WeeklyTable): Promise<number> {
    const row = await database.system('look how far the weeks reach', (tx) =>
      tx.one<{ days: number }>(
        `select (extract(epoch from max(until_at) - clock_timestamp()) / 86400)::float8 as days from weeks_of($1::regclass)`,
        [table],
      ),
    );
    return row?.days ?? 0;
  },

  /** Expired weeks, oldest first. */
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
   * Drops a week, unless it has a late row that has not expired. Its short lock time-out limits how long writers wait.
   */
  async drop(database: Database, weekly: WeeklyTable, week: string, days: number): Promise<Dropping> {
    const done = await unlessLocked(() =>
      database.system('drop an old week', async (tx) => {
        if (!(await isMine(tx, week))) return 'gone';
        await tx.run(`set local lock_timeout = ${WEEK_LOCK_WAIT_MS}`);
        // Uses the time index: rows of a week have similar times.
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

  /** Rows outside of any week are deleted one by one. */
  async deleteUnpartitioned(tx: Tx, weekly: WeeklyTable, days: number, limit: number): Promise<number> {
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

async function unlessLocked<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    if (isLockedByOthers(error)) return null;
    throw error;
  }
}
