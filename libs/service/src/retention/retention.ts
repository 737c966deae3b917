import type { Database, Tx } from '@switchyard/database';
import { sleep } from '@switchyard/kernel';
import type { Metrics } from '../metrics';
import type { Workers } from '../workers/workers';

const BATCH = 500;
/** Between two batches others get a turn. */
const PAUSE_MS = 20;

/** Deletes up to so many rows that are past their time, and says how many there were. */
type ForgetBatch = (tx: Tx, limit: number) => Promise<number>;

/**
 * Rows that have had their time are deleted a batch at a time, so that no transaction is long and vacuum keeps up.
 * Replicas share the work: a batch skips what another one has locked.
 */
export class Retention {
  private readonly forgotten;
  /** When nothing was left that is past its time. */
  private readonly cleanAt = new Map<string, number>();

  constructor(
    private readonly database: Database,
    private readonly workers: Workers,
    private readonly everyMs: number,
    metrics: Metrics,
  ) {
    this.forgotten = metrics.counter('switchyard_rows_forgotten_total', 'Rows deleted because their time was over.', [
      'what',
    ]);
    metrics.gauge(
      'switchyard_retention_lag_seconds',
      'Seconds since this process last found no row more whose time is over.',
      ['what'],
      (gauge) => {
        for (const [what, at] of this.cleanAt) gauge.set({ what }, (performance.now() - at) / 1000);
      },
    );
  }

  forget(what: string, batch: ForgetBatch): void {
    this.cleanAt.set(what, performance.now());
    this.workers.every(`forget old ${what}`, this.everyMs, (signal) => this.run(what, batch, signal));
  }

  private async run(what: string, batch: ForgetBatch, signal: AbortSignal): Promise<void> {
    for (let rows = BATCH; rows >= BATCH && !signal.aborted;) {
      rows = await this.database.system(`forget old ${what}`, (tx) => batch(tx, BATCH));
      if (rows > 0) this.forgotten.inc({ what }, rows);
      if (rows < BATCH) this.cleanAt.set(what, performance.now());
      await sleep(PAUSE_MS, signal);
    }
  }
}
