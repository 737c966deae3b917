import {
  CLAIMED,
  type Database,
  LOOKED_INTO,
  type SpaceQuota,
  type Tx,
  claimRound,
  dueSpaces,
  spaceUnblocked,
} from '@switchyard/database';
import type { Polled } from '@switchyard/concurrency';
import { sleep } from '@switchyard/kernel';
import type { Logger } from '../logger';
import type { PoisonedWork } from '../lost-work';
import type { Metrics } from '../metrics';
import { isWorkerDead } from '../workers/worker-name';
import type { Workers } from '../workers/background-loops';
import type { Claims, Holding } from './leased-rows';
import type { ClaimedRow, RenewedRow } from './row-lease';
import type { LeaseHolder } from './lease-holder';
import { lookForWork } from './look-for-work';
import { type Shares, shareOf } from './capacity-shares';
import { FairSpacePicker } from './fair-space-picker';
import type { PayerCache } from '../known/payer-cache';
import type { SpaceUseCounter } from '../space-use/space-use-counter';
import type { SpaceClocks } from '../suspended/suspended-space-clocks';
import type { SpaceConcurrencyLimits } from './space-concurrency-limits';

const POLL_MS = 1_000;
const SWEEP_MS = 5_000;
/** A wait that ends this soon gets an alarm of its own; the poll finds the others, up to five seconds later. */
const ALARM_MS = 60_000;
/**
 * If a round claimed so many, the next one waits a moment: a round costs Postgres as much as twenty rows, and as many
 * will have been queued or have ended by then.
 */
const MANY = 8;
const GATHER_MS = 4;
/** How many Spaces one round looks into. */
const SPACES_AT_ONCE = 64;
/** Spaces whose payers are remembered, for rows that come back. */
const PAID_FOR_MAX = 500;

export interface ClaimedWork<Ended> {
  /** Several of them: "executions". */
  what: string;
  /** How many this process works on at a time. */
  capacity: number;
  /** How many bytes the rows may have together that this process works on. */
  maxBytes: number;
  /** Ends rows that are over their time in these Spaces, and in all Spaces those that no worker has survived. */
  endHopeless: (tx: Tx, spaces: readonly string[]) => Promise<Ended[]>;
  onEnded: (ended: Ended) => void;
}

export interface ClaimerParts {
  database: Database;
  limits: SpaceConcurrencyLimits;
  clocks: SpaceClocks;
  payers: PayerCache;
  use: SpaceUseCounter;
  workers: Workers;
  poisoned: PoisonedWork;
  metrics: Metrics;
  logger: Logger;
}

const isUsedUp = ({ slots, bytes }: Holding): boolean => slots <= 0 || bytes <= 0;

/**
 * Brings rows to this process: those due in the queues, those that waited, and those that other processes lost. Each
 * Space has its turn.
 */
export class LeaseClaimer<Claimed extends ClaimedRow, Renewed extends RenewedRow, Ended> {
  private readonly losses: { inc(by: number): void };
  private readonly share: Shares;
  private wakeLoop: () => void = () => undefined;
  private readonly picker: FairSpacePicker;
  /** Payers of Spaces that do not pay for themselves, the latest seen last. */
  private readonly paidFor = new Map<string, string>();
  /** Other processes hold work: they may hand it over, or have more than they have places for. */
  private hasOthers = false;
  /** One row that was lost runs alone: queued ones wait until it has ended, for a limited time. */
  private isCareful = false;

  constructor(
    private readonly parts: ClaimerParts,
    private readonly claims: Claims<Renewed>,
    private readonly holder: LeaseHolder<Claimed, Renewed>,
    private readonly work: ClaimedWork<Ended>,
  ) {
    const { metrics } = parts;
    this.share = { slots: shareOf(work.capacity), bytes: shareOf(work.maxBytes) };
    this.picker = new FairSpacePicker(parts.payers, this.share, () => holder.usedBySpace);
    // From the start: of a counter that comes into being with its first event, no increase is seen.
    this.losses = metrics.counter(
      'switchyard_leases_lost_total',
      'Work whose worker stopped renewing its lease, so that another worker took it over.',
    );
    metrics.gauge('switchyard_workers_busy', 'Worker slots of this process in use.', [], (gauge) => {
      gauge.set(holder.size);
    });
    metrics.gauge(
      'switchyard_workers_waiting',
      'Work of this process that has released its worker slot while it waits for an external response.',
      [],
      (gauge) => {
        gauge.set(holder.waitingSize);
      },
    );
    metrics.gauge('switchyard_workers_limit', 'Worker slots of this process.').set(work.capacity);
    metrics.gauge(
      'switchyard_workers_busiest_space',
      'Worker slots of this process that the Spaces of the busiest payer use.',
      [],
      (gauge) => {
        gauge.set(Math.max(0, ...[...this.picker.usedByPayer.values()].map(({ slots }) => slots)));
      },
    );
    metrics.bounded(
      {
        name: 'switchyard_claimed_bytes',
        help: 'Bytes of the work that this process has claimed.',
        measures: ['used', 'limit'],
      },
      (set) => set({ used: holder.bytes, limit: work.maxBytes }),
    );
  }

  begin(): void {
    const { database, workers, limits, clocks } = this.parts;
    const { what } = this.work;
    const { anyLoose, anyLeased: anyLeasedRow } = this.claims;
    this.wakeLoop = workers.poll(
      `claim ${what}`,
      POLL_MS,
      (signal) => this.round(signal),
      database.idlePoller.for(anyLoose, dueSpaces(1, [])),
    );
    workers.poll(`sweep ${what}`, SWEEP_MS, () => this.sweep(), database.idlePoller.for(anyLeasedRow));
    // In parallel with the drain, which may take the whole grace.
    workers.atStop(() => this.holder.end());
    limits.onChange((spaceId) => void this.unblock(spaceId).catch(() => undefined));
    clocks.onStarted(() => {
      this.wake();
    });
    this.holder.onSlotFreed(() => {
      // It was the last one; else there is nothing that waits for a place.
      if (this.capacity.slots === 1) this.wake();
    });
    this.holder.onLetGo((afterMs) => {
      // A place is free.
      this.wake();
      if (afterMs > 0 && afterMs < ALARM_MS)
        setTimeout(() => {
          this.wake();
        }, afterMs + 5).unref();
    });
  }

  wake(): void {
    this.wakeLoop();
  }

  /** True when there may be more: a Space that is over a limit is not due, and comes back when one of its rows ends. */
  private async round(signal: AbortSignal): Promise<Polled> {
    return (await this.claimSome(signal)) || ((this.hasOthers || this.isCareful) && 'soon');
  }

  private async claimSome(signal: AbortSignal): Promise<boolean> {
    const hasMore = await this.claimOnce(signal);
    this.picker.endRound(hasMore);
    return hasMore;
  }

  private async claimOnce(signal: AbortSignal): Promise<boolean> {
    const capacity = this.capacity;
    if (isUsedUp(capacity)) return false;
    const share: Holding = { slots: this.share.slots.alone, bytes: this.share.bytes.alone };
    const used = this.picker.usedByPayer;
    const requestedAt = performance.now();
    const { loose, found } = await lookForWork(this.parts.database, `look for ${this.work.what}`, {
      anyLoose: this.claims.anyLoose,
      claimLoose: () => this.claims.claimLoose(this.holder.worker, { capacity, share, used, payers: this.paidFor }),
      reads: [dueSpaces(SPACES_AT_ONCE, this.picker.excluded), this.claims.noFresh],
    });
    const [due = [], noFresh = []] = found;
    this.start(loose, requestedAt);
    this.isCareful = noFresh.length > 0;
    if (this.isCareful) return false;
    const rest = this.capacity;
    if (isUsedUp(rest) || signal.aborted) return false;
    // A Space that has its share does not hide others in the next round.
    const hasLoose = loose.length > 0;
    if (due.length === 0) return hasLoose;
    const spaces = due.map((row) => row.spaceId as string);
    await this.learnPayers([...spaces, ...loose.map((row) => row['spaceId'] as string)]);
    const allocated = await this.picker.pick(spaces, rest.slots);
    const hasClaimed = await this.claim(allocated, rest.bytes, signal);
    return hasLoose || hasClaimed || due.length === SPACES_AT_ONCE;
  }

  /** Before anything is claimed for them: Spaces of one payer must not pass for several, not even once. */
  private async learnPayers(spaces: readonly string[]): Promise<void> {
    const { payers } = this.parts;
    await payers.know(spaces);
    for (const space of spaces) {
      const payer = payers.of(space);
      this.paidFor.delete(space);
      if (payer !== space) this.paidFor.set(space, payer);
    }
    for (const space of this.paidFor.keys()) {
      if (this.paidFor.size <= PAID_FOR_MAX) return;
      this.paidFor.delete(space);
    }
  }

  private get capacity(): Holding {
    const { capacity, maxBytes } = this.work;
    return { slots: capacity - this.holder.size, bytes: maxBytes - this.holder.bytes };
  }

  private async claim(allocated: ReadonlyMap<string, Holding>, bytes: number, signal: AbortSignal): Promise<boolean> {
    if (allocated.size === 0) return false;
    const { database, limits } = this.parts;
    // Before anything is claimed: a limit may be 0.
    const found = await Promise.all(
      [...allocated].map(async ([spaceId, capacity]) => ({
        spaceId,
        quota: capacity.slots,
        bytes: capacity.bytes,
        limit: limits.find(spaceId) ?? (await limits.of(spaceId)),
      })),
    );
    const spaces = found.flatMap(({ limit, ...space }): SpaceQuota[] =>
      limit === null ? [] : [{ ...space, limit, isLimitExact: true }],
    );
    // Nothing is known of them: the next round looks behind them, and the one after that asks again.
    for (const { spaceId, limit } of found) if (limit === null) this.picker.passOver(spaceId);
    if (spaces.length === 0) return false;
    const requestedAt = performance.now();
    const results = await database.systemWrite(
      `claim ${this.work.what}`,
      claimRound(this.claims.queue, spaces, bytes, (chosen) => this.claims.claimQueued(this.holder.worker, chosen)),
    );
    const claimed = results[CLAIMED] ?? [];
    this.start(claimed, requestedAt);
    for (const { spaceId } of claimed) this.parts.use.add('runs', spaceId as string);
    const looked = new Map((results[LOOKED_INTO] ?? []).map((row) => [row.spaceId as string, row] as const));
    const blocked = spaces.filter(({ spaceId }) => looked.get(spaceId)?.isBlocked === true);
    const outdated = await Promise.all(blocked.map((space) => this.unblockIfOutdated(space)));
    if (claimed.length >= MANY) await sleep(GATHER_MS, signal);
    return claimed.length > 0 || outdated.includes(true);
  }

  /** A Space that was put off because of a limit that has changed meanwhile is due again. */
  private async unblockIfOutdated({ spaceId, limit }: SpaceQuota): Promise<boolean> {
    const { limits } = this.parts;
    const now = limits.find(spaceId) ?? (await limits.of(spaceId));
    if (now === null || now === limit) return false;
    await this.unblock(spaceId);
    return true;
  }

  private async unblock(spaceId: string): Promise<void> {
    await this.parts.database.systemWrite('unblock a Space', [spaceUnblocked(spaceId)]);
    this.wake();
  }

  private start(rows: readonly Record<string, unknown>[], requestedAt: number): void {
    for (const claimed of rows) this.holder.start(claimed as unknown as Claimed, requestedAt);
  }

  private async sweep(): Promise<Polled> {
    const { database, clocks, logger, poisoned } = this.parts;
    const { what } = this.work;
    const spaces = await clocks.late();
    const {
      lost: losses,
      ended,
      workers,
    } = await database.system(`free lost ${what}`, async (tx) => {
      const holding = await this.claims.workersHolding(tx);
      const freed = await this.claims.releaseLapsed(tx, {
        ended: holding.filter(isWorkerDead),
        own: this.holder.worker,
        isSilenceLoss: poisoned.marks.silence.mayCount(),
      });
      // In the same transaction: what was taken over too often is loose now, and would be taken once more.
      return { lost: freed, ended: await this.work.endHopeless(tx, spaces), workers: holding };
    });
    const hadOthers = this.hasOthers;
    this.hasOthers = workers.some((worker) => worker !== this.holder.worker);
    // From now on what they let go of is looked for every second.
    if (this.hasOthers && !hadOthers) this.wake();
    if (losses > 0) {
      this.losses.inc(losses);
      logger.warn({ what, lost: losses }, 'reclaimed work whose lease expired');
      this.wake();
    }
    for (const row of ended) this.work.onEnded(row);
    if (ended.length > 0) this.wake();
    return workers.length > 0 && 'soon';
  }
}
