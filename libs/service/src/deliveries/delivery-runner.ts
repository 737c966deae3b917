import { type Polled } from '@switchyard/concurrency';
import type { Database, EndedWorkers, LostWorkRow, Read, Tx } from '@switchyard/database';
import { failpoint } from '@switchyard/kernel';
import { type WaitOutside, directly } from '@switchyard/messaging';
import type { Logger } from '../logger';
import type { PayerCache } from '../known/payer-cache';
import type { Holding } from '../leases';
import { FairSpacePicker, type Share, shareOf } from '../leases';
import type { PoisonedWork } from '../lost-work';
import { isWorkerDead } from '../workers/worker-name';
import type { Workers } from '../workers/background-loops';

const POLL_MS = 1_000;
const SWEEP_MS = 2_000;
/** Queues that one round looks into. */
const QUEUES_AT_ONCE = 256;
/** A retry that is due this soon is sent on time; the poll finds the others. */
const ALARM_MS = 60_000;

/** Deliveries to one receiver. A queue delays no other. */
export interface QueueRef {
  spaceId: string;
  queueId: string;
}

export interface Delivery extends QueueRef {
  id: string;
  bytes: number;
  /** It was lost with a process before. */
  isSuspect: boolean;
}

/** How many deliveries a queue may begin now, and how large they may be together. */
export interface QueueCapacity extends QueueRef {
  slots: number;
  bytes: number;
}

/** The table of deliveries. */
export interface LeasedDeliveries {
  /** Finds a row if there is something due. */
  anyDue: Read;
  /** Finds a row if a worker holds one. */
  anyLeased: Read;
  workersHolding(tx: Tx): Promise<string[]>;
  /** Sets rows free whose worker has ended. */
  releaseLapsed(tx: Tx, workers: EndedWorkers): Promise<number>;
  /** Ends those that were lost too often. */
  failCrashed(tx: Tx): Promise<Omit<LostWorkRow, 'at'>[]>;
}

/** Where deliveries wait, and how one is made. The statements and the transport belong to the service. */
export interface DeliveryQueues<Claimed extends Delivery> {
  rows: LeasedDeliveries;
  /** Queues with something due that may begin now, the longest waiting first. */
  due(tx: Tx, limit: number, exceptSpaces: readonly string[]): Promise<QueueRef[]>;
  claim(tx: Tx, worker: string, capacities: readonly QueueCapacity[]): Promise<Claimed[]>;
  /**
   * Makes one attempt and stores its outcome. Says after how many ms there is another, null for none. The wait for the
   * receiver belongs into `outside`: a delivery that was lost with a process delays other work until then.
   */
  deliver(delivery: Claimed, outside: WaitOutside): Promise<number | null>;
}

export interface RunnerParts {
  database: Database;
  workers: Workers;
  poisoned: PoisonedWork;
  payers: PayerCache;
  logger: Logger;
  /** Deliveries of other Spaces wait. */
  mayRun: (spaceId: string) => Promise<boolean>;
}

export interface RunnerSettings {
  /** Several of them: "deliveries". */
  what: string;
  /** Of one of them, as operators see it if it ends processes. */
  kind: string;
  /** How many this process makes at a time, and how large they may be together. A payer has a share of both. */
  capacity: number;
  maxBytes: number;
  /** Of one delivery. The first one of a queue is always made, however large it is. */
  largestBytes: number;
  /** Deliveries that take long: a payer has never more than this part of them. Default: a third, while others wait. */
  payerPart?: number;
}

const keyOf = ({ spaceId, queueId }: QueueRef): string => `${spaceId} ${queueId}`;

/**
 * Makes deliveries: each queue so many at a time, the Spaces of each payer within its share. Rows are claimed with
 * leases; if the process ends, another one delivers again.
 */
export class DeliveryRunner<Claimed extends Delivery> {
  private readonly running = new Map<Promise<unknown>, Claimed>();
  private woken = new Map<string, QueueRef>();
  private lookedAt = -Infinity;
  private readonly picker: FairSpacePicker;
  private wakeLoop: () => void = () => undefined;

  constructor(
    private readonly parts: RunnerParts,
    private readonly queues: DeliveryQueues<Claimed>,
    private readonly settings: RunnerSettings,
  ) {
    const share = { slots: this.shareOf(settings.capacity), bytes: this.shareOf(settings.maxBytes) };
    this.picker = new FairSpacePicker(parts.payers, share, () => this.usedBySpace());
  }

  /** Without `sweeps` another runner sets lost deliveries of these queues free. */
  begin({ sweeps = true }: { sweeps?: boolean } = {}): void {
    const { database, workers } = this.parts;
    const { what } = this.settings;
    this.wakeLoop = workers.poll(
      `make ${what}`,
      POLL_MS,
      () => this.round(),
      database.idlePoller.for(this.queues.rows.anyDue),
    );
    if (sweeps)
      workers.poll(`sweep ${what}`, SWEEP_MS, () => this.sweep(), database.idlePoller.for(this.queues.rows.anyLeased));
    workers.atStop(async () => {
      await Promise.allSettled(this.running.keys());
    });
  }

  /** There is something due in these queues. */
  wake(queues: Iterable<QueueRef>): void {
    for (const queue of queues) this.woken.set(keyOf(queue), queue);
    this.wakeLoop();
  }

  /** How many are being made, and how large they are together. */
  get used(): Holding {
    return { slots: this.running.size, bytes: this.bytes };
  }

  private shareOf(capacity: number): Share {
    const { payerPart } = this.settings;
    if (payerPart === undefined) return shareOf(capacity);
    const part = Math.max(1, Math.ceil(capacity / payerPart));
    return { capacity, contended: part, alone: part };
  }

  private get bytes(): number {
    let sum = 0;
    for (const { bytes } of this.running.values()) sum += bytes;
    return sum;
  }

  private usedBySpace(): ReadonlyMap<string, Holding> {
    const used = new Map<string, Holding>();
    for (const { spaceId, bytes } of this.running.values()) {
      const sum = used.get(spaceId);
      used.set(spaceId, { slots: (sum?.slots ?? 0) + 1, bytes: (sum?.bytes ?? 0) + bytes });
    }
    return used;
  }

  private async round(): Promise<boolean> {
    const free = this.settings.capacity - this.running.size;
    const freeBytes = this.settings.maxBytes - this.bytes;
    if (free <= 0 || freeBytes < this.settings.largestBytes) return false;
    const { candidates, hasMore } = await this.candidates();
    if (candidates.size === 0) {
      this.picker.endRound(hasMore);
      return hasMore;
    }
    const allocated = await this.picker.pick([...candidates.keys()], free);
    this.picker.endRound(hasMore);
    const requested = [...allocated].flatMap(([spaceId, share]) => divide(candidates.get(spaceId) ?? [], share));
    if (requested.length === 0) return hasMore;
    const capacities = withinBytes(requested, freeBytes, this.settings.largestBytes);
    for (const later of requested.slice(capacities.length)) this.woken.set(keyOf(later), later);
    const claimed = await this.parts.database.system(`claim ${this.settings.what}`, (tx) =>
      this.queues.claim(tx, this.parts.poisoned.marks.worker, capacities),
    );
    if (claimed.length > 0) await failpoint('leases.claimed');
    for (const delivery of claimed) this.start(delivery);
    // A queue that filled its room may have more.
    const counts = new Map<string, number>();
    for (const delivery of claimed) counts.set(keyOf(delivery), (counts.get(keyOf(delivery)) ?? 0) + 1);
    for (const capacity of capacities)
      if ((counts.get(keyOf(capacity)) ?? 0) >= capacity.slots) this.woken.set(keyOf(capacity), capacity);
    return claimed.length > 0 || this.woken.size > 0 || hasMore;
  }

  /** Queues by Space. Those that were woken at once; once a second, all others too. */
  private async candidates(): Promise<{ candidates: Map<string, QueueRef[]>; hasMore: boolean }> {
    const found = this.woken;
    this.woken = new Map();
    let hasMore = false;
    if (found.size === 0 || performance.now() - this.lookedAt >= POLL_MS) {
      const due = await this.parts.database.system(`look for ${this.settings.what}`, (tx) =>
        this.queues.due(tx, QUEUES_AT_ONCE, this.picker.excluded),
      );
      this.lookedAt = performance.now();
      hasMore = due.length === QUEUES_AT_ONCE;
      for (const queue of due) found.set(keyOf(queue), queue);
    }
    const excluded = new Set(this.picker.excluded);
    const candidates = new Map<string, QueueRef[]>();
    for (const queue of found.values()) {
      if (excluded.has(queue.spaceId)) continue;
      const own = candidates.get(queue.spaceId);
      if (own) own.push(queue);
      else candidates.set(queue.spaceId, [queue]);
    }
    for (const spaceId of [...candidates.keys()]) {
      if (await this.parts.mayRun(spaceId)) continue;
      candidates.delete(spaceId);
      this.picker.passOver(spaceId);
    }
    return { candidates, hasMore };
  }

  private start(delivery: Claimed): void {
    const { marks } = this.parts.poisoned;
    const deliver = (outside: WaitOutside): Promise<number | null> => this.queues.deliver(delivery, outside);
    const made: Promise<unknown> = (
      delivery.isSuspect ? marks.alone(deliver, this.settings.what) : marks.fresh(() => deliver(directly))
    )
      .then((nextInMs) => {
        if (nextInMs !== null && nextInMs < ALARM_MS)
          setTimeout(() => {
            this.wake([delivery]);
          }, nextInMs + 5).unref();
      })
      .catch((error: unknown) => {
        this.parts.logger.warn(
          { err: error, deliveryId: delivery.id },
          'failed to record an attempt of a delivery; it is made again when its lease ends',
        );
      })
      .finally(() => {
        this.running.delete(made);
        this.wake([delivery]);
      });
    this.running.set(made, delivery);
  }

  private async sweep(): Promise<Polled> {
    const { database, poisoned, logger } = this.parts;
    const { marks } = poisoned;
    const { reclaimed, failed, workers } = await database.system(`free lost ${this.settings.what}`, async (tx) => {
      const holding = await this.queues.rows.workersHolding(tx);
      const freed = await this.queues.rows.releaseLapsed(tx, {
        ended: holding.filter(isWorkerDead),
        own: marks.worker,
        isSilenceLoss: marks.silence.mayCount(),
      });
      const given = freed > 0 ? await this.queues.rows.failCrashed(tx) : [];
      await poisoned.note(tx, given);
      return { reclaimed: freed, failed: given.length, workers: holding };
    });
    if (reclaimed > 0) {
      poisoned.countLoss(this.settings.kind, reclaimed);
      logger.warn({ what: this.settings.what, reclaimed, failed }, 'reclaimed deliveries whose lease expired');
      this.lookedAt = -Infinity;
      this.wakeLoop();
    }
    return workers.length > 0 && 'soon';
  }
}

/** The room of a Space, in equal parts for its queues; those that get none come in a later round. */
function divide(queues: readonly QueueRef[], { slots, bytes }: Holding): QueueCapacity[] {
  const served = queues.slice(0, slots);
  return served.map(({ spaceId, queueId }, at) => ({
    spaceId,
    queueId,
    slots: Math.floor(slots / served.length) + (at < slots % served.length ? 1 : 0),
    bytes: Math.max(1, Math.floor(bytes / served.length)),
  }));
}

/** All queues of a round share what is free; each of them has room for the largest delivery, the others come later. */
export function withinBytes(requested: readonly QueueCapacity[], free: number, largest: number): QueueCapacity[] {
  const served = requested.slice(0, Math.max(1, Math.floor(free / largest)));
  const part = Math.floor(free / served.length);
  return served.map((capacity) => ({ ...capacity, bytes: Math.min(capacity.bytes, part) }));
}
