import { type Database, type Tx, type WeeklyTable, weeks } from '@switchyard/database';
import { sleep } from '@switchyard/kernel';
import type { Metrics } from '../metrics';
import type { Workers } from '../workers/background-loops';

const BATCH = 500;
/** Between two batches others get a turn. */
const PAUSE_MS = 20;
/** A week that others hold is left after so many tries, until the next round. */
const TRIES = 5;
const BETWEEN_TRIES_MS = 1000;

/** Deletes up to so many rows that are past their time, and says how many there were. */
type DeleteBatch = (tx: Tx, limit: number) => Promise<number>;

/**
 * Rows that have had their time are deleted a batch at a time, so that no transaction is long and vacuum keeps up.
 * Replicas share the work: a batch skips what another one has locked.
 */
export class Retention {
  private readonly deletedRows;
  private readonly dropped;
  private readonly inWeeks = new Map<string, WeeklyTable>();
  /** When nothing was left that is past its time. */
  private readonly cleanAt = new Map<string, number>();

  constructor(
    private readonly database: Database,
    private readonly workers: Workers,
    private readonly everyMs: number,
    metrics: Metrics,
  ) {
    this.deletedRows = metrics.counter(
      'switchyard_rows_forgotten_total',
      'Rows that were deleted because they had expired.',
      ['what'],
    );
    metrics.gauge(
      'switchyard_retention_lag_seconds',
      'Seconds since this process last found no more expired rows.',
      ['what'],
      (gauge) => {
        for (const [what, at] of this.cleanAt) gauge.set({ what }, (performance.now() - at) / 1000);
      },
    );
    this.dropped = metrics.counter(
      'switchyard_weeks_dropped_total',
      'Expired partitions, of one week each, that were dropped.',
      ['table'],
    );
    metrics.gauge(
      'switchyard_partitions_ahead_days',
      'Days for which partitions of a table already exist. At 0, the table cannot store new rows.',
      ['table'],
      async (gauge) => {
        for (const [table, weekly] of this.inWeeks) {
          const days = await weeks.daysUntilLastEnds(this.database, weekly).catch(() => null);
          if (days !== null) gauge.set({ table }, days);
        }
      },
    );
  }

  register(what: string, batch: DeleteBatch): void {
    this.cleanAt.set(what, performance.now());
    this.workers.every(`forget old ${what}`, this.everyMs, (signal) => this.run(what, batch, signal));
  }

  /** A table in weeks: those to come are made, and those whose time is over are dropped. */
  keepWeeks(what: string, weekly: WeeklyTable, days: number): void {
    this.inWeeks.set(weekly.table, weekly);
    this.cleanAt.set(what, performance.now());
    this.workers.every(`keep weeks of ${what}`, this.everyMs, async (signal) => {
      while (!signal.aborted && (await weeks.makeNext(this.database, weekly)));
      const areLocked = await this.dropOld(weekly, days, signal);
      await this.run(what, (tx, limit) => weeks.deleteUnpartitioned(tx, weekly, days, limit), signal, areLocked);
    });
  }

  /** Whether a week had to be left because others hold it. */
  private async dropOld(weekly: WeeklyTable, days: number, signal: AbortSignal): Promise<boolean> {
    let areLocked = false;
    for (const week of await weeks.due(this.database, weekly, days)) {
      let outcome = await weeks.drop(this.database, weekly, week, days);
      for (let tries = 1; outcome === 'held' && tries < TRIES && !signal.aborted; tries += 1) {
        await sleep(BETWEEN_TRIES_MS, signal);
        outcome = await weeks.drop(this.database, weekly, week, days);
      }
      if (outcome === 'dropped') this.dropped.inc({ table: weekly.table });
      areLocked ||= outcome === 'held';
    }
    return areLocked;
  }

  private async run(what: string, batch: DeleteBatch, signal: AbortSignal, isBehind = false): Promise<void> {
    for (let rows = BATCH; rows >= BATCH && !signal.aborted;) {
      rows = await this.database.system(`forget old ${what}`, (tx) => batch(tx, BATCH));
      if (rows > 0) this.deletedRows.inc({ what }, rows);
      if (rows < BATCH && !isBehind) this.cleanAt.set(what, performance.now());
      await sleep(PAUSE_MS, signal);
    }
  }
}
