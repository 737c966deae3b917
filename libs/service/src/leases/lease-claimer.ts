import type { Database, Tx } from '@switchyard/database';
import type { Logger } from '../logger';
import type { Metrics } from '../metrics';
import { isWorkerGone } from '../workers/worker-name';
import type { Workers } from '../workers/workers';
import type { Claims } from './claims';
import type { ClaimedRow, KeptRow } from './hold';
import type { LeaseHolder } from './lease-holder';
import type { SpaceLimits } from './space-limits';

const POLL_MS = 1_000;
const SWEEP_MS = 5_000;
/** A wait that ends this soon gets an alarm of its own; the poll finds the others. */
const ALARM_MS = 60_000;

export interface ClaimedWork<Ended> {
  /** Several of them: "executions". */
  what: string;
  /** How many this process works on at a time. */
  capacity: number;
  /** Ends what is over its time, and what no worker has survived. */
  endHopeless: (tx: Tx) => Promise<Ended[]>;
  onEnded: (ended: Ended) => void;
}

export interface ClaimerParts {
  database: Database;
  limits: SpaceLimits;
  workers: Workers;
  metrics: Metrics;
  logger: Logger;
}

/** Brings rows to this process: what is due in the queues, what waited, and what others lost. */
export class LeaseClaimer<Claimed extends ClaimedRow, Kept extends KeptRow, Ended> {
  private readonly lost: { inc(by: number): void };
  private rouse: () => void = () => undefined;
  private turn = 0;

  constructor(
    private readonly parts: ClaimerParts,
    private readonly claims: Claims<Kept>,
    private readonly holder: LeaseHolder<Claimed, Kept>,
    private readonly work: ClaimedWork<Ended>,
  ) {
    // From the start: of a counter that comes into being with its first event, no increase is seen.
    this.lost = parts.metrics.counter('switchyard_leases_lost_total', 'Work whose worker was not heard of any more.');
  }

  begin(): void {
    const { workers } = this.parts;
    const { what } = this.work;
    this.rouse = workers.poll(`claim ${what}`, POLL_MS, (signal) => this.round(signal));
    workers.every(`sweep ${what}`, SWEEP_MS, () => this.sweep());
    this.holder.onLetGo((afterMs) => {
      if (afterMs <= 0) this.wake();
      else if (afterMs < ALARM_MS)
        setTimeout(() => {
          this.wake();
        }, afterMs + 5).unref();
    });
  }

  wake(): void {
    this.rouse();
  }

  /** Nobody has to look again at once: what comes wakes us, and what is over a limit waits for somebody to let go. */
  private async round(signal: AbortSignal): Promise<false> {
    const room = (): number => this.work.capacity - this.holder.size;
    if (room() <= 0) return false;
    const { database } = this.parts;
    const { worker } = this.holder;
    const [loose = [], waiting = []] = await database.systemWrite(`look for ${this.work.what}`, [
      this.claims.claimLoose(worker, room()),
      this.claims.spacesWaiting(),
    ]);
    this.start(loose);
    for (const spaceId of this.inTurn(waiting.map((row) => row.spaceId as string))) {
      if (room() <= 0 || signal.aborted) break;
      await this.claimIn(spaceId, room());
    }
    return false;
  }

  private async claimIn(spaceId: string, room: number): Promise<void> {
    const space = await this.parts.limits.of(spaceId);
    const [, queued = []] = await this.parts.database.systemWrite(`claim ${this.work.what}`, [
      this.claims.lockSpace(spaceId),
      this.claims.claimQueued(spaceId, this.holder.worker, { space, room }),
    ]);
    this.start(queued);
  }

  private start(rows: readonly Record<string, unknown>[]): void {
    for (const claimed of rows) this.holder.start(claimed as unknown as Claimed);
  }

  /** Another Space comes first each time, so that a busy one cannot keep the others waiting. */
  private inTurn(all: string[]): string[] {
    if (all.length === 0) return all;
    this.turn = (this.turn + 1) % all.length;
    return [...all.slice(this.turn), ...all.slice(0, this.turn)];
  }

  private async sweep(): Promise<void> {
    const { database, logger } = this.parts;
    const { what } = this.work;
    const lost = await database.system(`free lost ${what}`, async (tx) =>
      this.claims.releaseLost(tx, (await this.claims.workersHolding(tx)).filter(isWorkerGone)),
    );
    if (lost > 0) {
      this.lost.inc(lost);
      logger.warn({ what, lost }, 'work was taken from a worker that is gone');
      this.wake();
    }
    const ended = await database.system(`end hopeless ${what}`, (tx) => this.work.endHopeless(tx));
    for (const row of ended) this.work.onEnded(row);
    if (ended.length > 0) this.wake();
  }
}
