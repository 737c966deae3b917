import type { Database } from '@switchyard/database';
import { Ticks } from '@switchyard/concurrency';
import { failpoint, sleep } from '@switchyard/kernel';
import type { Logger } from '../logger';
import type { RunningWorkMarks } from '../lost-work';
import { workerName } from '../workers/worker-name';
import type { Holding, LeasedRows } from './leased-rows';
import { type ClaimedRow, type Hold, type RenewedRow, LeaseLost } from './row-lease';

/** Why work was broken off: its lease is another's, its time is over, or this process ends. */
export type StopReason = 'lost' | 'timeout' | 'shutdown';

export interface LeasedWork<Claimed extends ClaimedRow, Renewed extends RenewedRow = RenewedRow> {
  /** One of them, for the log. */
  what: string;
  /** Works on it until it ends or may be let go of; answers with the time after which it wants to be taken up again. */
  work: (claimed: Claimed, hold: Hold, signal: AbortSignal) => Promise<number>;
  /** It lost its process before: it runs while fresh work waits. */
  isSuspect: (claimed: Claimed) => boolean;
  /** Null where no time is counted. */
  remainingMs: (claimed: Claimed) => number | null;
  /** Writes down that its time was over. */
  timeOut: (claimed: Claimed, hold: Hold) => Promise<void>;
  /** Called with the columns that the heartbeat read of rows that are still leased. */
  onKept?: (renewed: readonly Renewed[]) => void;
  /** How long work may go on to its end when the process is told to stop. */
  handOverMs: number;
  /** After that: how long work that was told to stop may take until it does. Its rows are released by then. */
  breakOffMs?: number;
}

interface ActiveLease<Claimed> {
  claimed: Claimed;
  hold: Hold;
  stop: (reason: StopReason) => void;
  done: Promise<void>;
}

const HEARTBEAT_MS = 10_000;
/** Before the lease can be taken over: a process that cannot renew it stops by itself. */
const SELF_FENCE_MS = 20_000;
const BREAK_OFF_MS = 3_000;
const LATE_END = { handOverMs: 0, breakOffMs: BREAK_OFF_MS };
const AFTER_FAILURE_MS = 500;
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The rows that this process works on: held by leases, kept by a heartbeat, handed over at the end. */
export class LeaseHolder<Claimed extends ClaimedRow, Renewed extends RenewedRow = RenewedRow> {
  readonly worker = workerName();
  private readonly leases = new Map<string, ActiveLease<Claimed>>();
  /** Of those held, the ones that only wait for an answer from outside: they have no place of the others. */
  private readonly waiting = new Set<Hold>();
  private readonly slotListeners: (() => void)[] = [];
  private readonly listeners: ((afterMs: number) => void)[] = [];
  private readonly heartbeat = new Ticks(HEARTBEAT_MS, () => {
    void this.keep();
    return this.leases.size > 0;
  });
  private renewedAt = performance.now();
  private isEnding = false;

  constructor(
    private readonly database: Database,
    private readonly rows: LeasedRows<Renewed>,
    private readonly logger: Logger,
    private readonly marks: Pick<RunningWorkMarks, 'alone' | 'fresh'>,
    private readonly work: LeasedWork<Claimed, Renewed>,
  ) {}

  /**
   * Gives what runs a moment to end by itself; the rest is released for other processes. Called again, at the end of
   * the stop, for what was claimed while the stop began: that gets no moment.
   */
  async end(): Promise<void> {
    const { handOverMs, breakOffMs = BREAK_OFF_MS } = this.isEnding ? LATE_END : this.work;
    this.isEnding = true;
    const all = (): Promise<unknown> => Promise.allSettled([...this.leases.values()].map(({ done }) => done));
    await Promise.race([all(), sleep(handOverMs)]);
    for (const { stop } of this.leases.values()) stop('shutdown');
    await Promise.race([all(), sleep(breakOffMs)]);
    this.heartbeat.stop();
  }

  /** How many rows this process works on, without those that only wait. */
  get size(): number {
    return this.leases.size - this.waiting.size;
  }

  get waitingSize(): number {
    return this.waiting.size;
  }

  /**
   * Gives the place of a row to others while `work` waits for an answer from outside, and takes it again at once when
   * that has come. The row stays held meanwhile: its lease is kept, and it counts in the share of its payer and in the
   * memory. While `most` rows wait, another one keeps its place.
   */
  async withoutSlot<T>(hold: Hold, most: number, work: () => Promise<T>): Promise<T> {
    if (!this.holds(hold) || this.waiting.size >= most) return work();
    this.waiting.add(hold);
    for (const listener of this.slotListeners) listener();
    try {
      return await work();
    } finally {
      this.waiting.delete(hold);
    }
  }

  /** Told whenever a row has given its place away and is still held. */
  onSlotFreed(listener: () => void): void {
    this.slotListeners.push(listener);
  }

  /** How many bytes the rows have that this process works on. */
  get bytes(): number {
    let sum = 0;
    for (const { claimed } of this.leases.values()) sum += claimed.bytes;
    return sum;
  }

  get leasedIds(): readonly string[] {
    return [...this.leases.keys()];
  }

  /** Of all rows that it works on, this one was claimed first. */
  isOldest(id: string): boolean {
    return this.leases.keys().next().value === id;
  }

  /** Use of this process by each Space. */
  get usedBySpace(): ReadonlyMap<string, Holding> {
    const holdings = new Map<string, Holding>();
    for (const { claimed } of this.leases.values()) {
      const { slots, bytes } = holdings.get(claimed.spaceId) ?? { slots: 0, bytes: 0 };
      holdings.set(claimed.spaceId, { slots: slots + 1, bytes: bytes + claimed.bytes });
    }
    return holdings;
  }

  /** Told whenever a row has been let go of, with the time after which it wants to be taken up again. */
  onLetGo(listener: (afterMs: number) => void): void {
    this.listeners.push(listener);
  }

  find(id: string): { claimed: Claimed; hold: Hold } | undefined {
    return this.leases.get(id);
  }

  holds(hold: Hold): boolean {
    return this.leases.get(hold.id)?.hold === hold;
  }

  /** `requestedAt`: time before the claim. The lease is not older. */
  start(claimed: Claimed, requestedAt = performance.now()): void {
    if (this.leases.size === 0) this.renewedAt = requestedAt;
    this.heartbeat.begin();
    const hold: Hold = { spaceId: claimed.spaceId, id: claimed.id, epoch: claimed.epoch, worker: this.worker };
    const abort = new AbortController();
    let reason: StopReason = 'lost';
    const stop = (why: StopReason): void => {
      reason = why;
      abort.abort();
    };
    const remainingMs = this.work.remainingMs(claimed);
    const timer =
      remainingMs === null
        ? undefined
        : setTimeout(
            () => {
              stop('timeout');
            },
            Math.min(Math.max(0, remainingMs), LONGEST_TIMER_MS),
          );
    // The same row in a new epoch: later results of the old one are discarded.
    const earlier = this.leases.get(claimed.id);
    if (earlier) {
      earlier.stop('lost');
      this.waiting.delete(earlier.hold);
    }
    const entry: ActiveLease<Claimed> = { claimed, hold, stop, done: Promise.resolve() };
    this.leases.set(claimed.id, entry);
    entry.done = this.attend(claimed, hold, abort.signal, () => reason).then((afterMs) => {
      clearTimeout(timer);
      if (this.holds(hold)) this.leases.delete(claimed.id);
      for (const listener of this.listeners) listener(afterMs);
    });
  }

  stop(id: string): void {
    this.leases.get(id)?.stop('lost');
  }

  /** Never throws: a failure of one row does not affect the others. */
  private async attend(claimed: Claimed, hold: Hold, signal: AbortSignal, reason: () => StopReason): Promise<number> {
    try {
      await failpoint('leases.claimed');
      const work = (): Promise<number> => this.work.work(claimed, hold, signal);
      return await (this.work.isSuspect(claimed) ? this.marks.alone(work, this.work.what) : this.marks.fresh(work));
    } catch (error) {
      if (error instanceof LeaseLost) return 0;
      if (signal.aborted) await this.stopped(claimed, hold, reason());
      else {
        const { what } = this.work;
        this.logger.warn({ err: error, what, id: hold.id }, 'leased work was interrupted; it will be retried');
        await sleep(AFTER_FAILURE_MS);
        await this.release(hold);
      }
      return 0;
    }
  }

  private async stopped(claimed: Claimed, hold: Hold, reason: StopReason): Promise<void> {
    if (reason === 'lost') return;
    if (reason === 'shutdown') return this.release(hold);
    try {
      await this.work.timeOut(claimed, hold);
    } catch (error) {
      if (error instanceof LeaseLost) return;
      const { what } = this.work;
      this.logger.warn({ err: error, what, id: hold.id }, 'failed to record a timeout; the sweeper will record it');
    }
  }

  /** Without a database the release cannot be stored; the lease expires. */
  private async release(hold: Hold): Promise<void> {
    await this.database.inSpace(hold.spaceId, (tx) => this.rows.release(tx, hold)).catch(() => undefined);
  }

  private async keep(): Promise<void> {
    const holds = [...this.leases.values()].map(({ hold }) => hold);
    try {
      const renewed =
        holds.length === 0
          ? []
          : await this.database.system('keep leases', (tx) => this.rows.keep(tx, this.worker, holds));
      this.renewedAt = performance.now();
      const still = new Set(renewed.map(({ id, epoch }) => `${id}/${epoch}`));
      for (const hold of holds) {
        if (this.holds(hold) && !still.has(`${hold.id}/${hold.epoch}`)) this.stop(hold.id);
      }
      this.work.onKept?.(renewed);
    } catch (error) {
      this.logger.warn({ err: error }, 'failed to renew leases');
      if (performance.now() - this.renewedAt > SELF_FENCE_MS) for (const { stop } of this.leases.values()) stop('lost');
    }
  }
}
