import { AppError } from '@switchyard/kernel';

interface QueuedItem<Item, Result> {
  owner: string;
  item: Item;
  bytes: number;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

interface SharedBatches {
  /** Most owners of a batch. */
  owners: number;
  /** Most concurrent batches. */
  atOnce: number;
  /** How long an isolated owner is batched alone. */
  isolatedMs: number;
}

export interface BatcherOptions {
  /** Most items of a batch, of all owners. */
  items: number;
  bytes?: number;
  /** Batches have items of several owners. Default: each owner has its own batches, one at a time. */
  shared?: SharedBatches;
  /** Retries the items of a failed batch one by one, so that an invalid item does not fail the others. */
  retriesOneByOne?: boolean;
  /**
   * Sends the next batch before the callers of the last one resume, which takes a while if they go on working. Not for
   * callers that add the next item as soon as they resume: they would miss that batch.
   */
  sendsNextFirst?: boolean;
  /** A batch begins at the end of this turn of the event loop, with all items that are added until then. */
  gathers?: boolean;
}

/** The connection pool hands out a connection in the next tick, and the statements are sent right after. */
const TICKS_UNTIL_NEXT_IS_SENT = 2;

const ignore = (): void => undefined;

/**
 * Does the work of several callers at once, which is cheaper than for each of them: a transaction, say. A single caller
 * runs immediately; callers that arrive meanwhile join the next batch. An owner (a Space) is in one batch at a time.
 *
 * Shared batches take items in round robin by owner. An owner that delays or fails the batches of others can be
 * isolated: for a while it is batched alone.
 */
export class Batcher<Item, Result> {
  /** Owners with waiting items, in round-robin order. */
  private readonly queues = new Map<string, QueuedItem<Item, Result>[]>();
  private readonly busy = new Set<string>();
  /** Result of the last item of each owner, until all its items are done. */
  private readonly latest = new Map<string, Promise<Result>>();
  private readonly isolatedUntil = new Map<string, number>();
  /** Owners whose next batch begins at the end of this turn. */
  private readonly gathering = new Set<string>();
  /** Shared batches that run. */
  private running = 0;

  constructor(
    /** Returns a result for each item, in order; `owner` is that of the first. An `AppError` rejects its item alone. */
    private readonly work: (items: Item[], owner: string) => Promise<(Result | AppError)[]>,
    private readonly options: BatcherOptions,
  ) {}

  add(owner: string, item: Item, bytes = 0): Promise<Result> {
    let queued!: QueuedItem<Item, Result>;
    const result = new Promise<Result>((resolve, reject) => {
      queued = { owner, item, bytes, resolve, reject };
    });
    const queue = this.queues.get(owner);
    if (queue) queue.push(queued);
    else this.queues.set(owner, [queued]);
    this.latest.set(owner, result);
    if (this.options.gathers) this.gather(owner);
    else this.begin([owner]);
    return result;
  }

  /** Resolves when all items of the owner are done or have failed; their callers may resume a moment later. */
  async flushed(owner: string): Promise<void> {
    await this.latest.get(owner)?.then(ignore, ignore);
  }

  /** Including the items that already wait. */
  isolate(owner: string): void {
    const now = Date.now();
    for (const [other, until] of this.isolatedUntil) if (until <= now) this.isolatedUntil.delete(other);
    this.isolatedUntil.set(owner, now + (this.options.shared?.isolatedMs ?? 0));
    this.begin([owner]);
  }

  private gather(owner: string): void {
    if (this.gathering.size === 0)
      setImmediate(() => {
        const owners = [...this.gathering];
        this.gathering.clear();
        this.begin(owners);
      });
    this.gathering.add(owner);
  }

  /** Starts the batches that can start after these owners added items or finished. */
  private begin(owners: Iterable<string>): void {
    for (const owner of owners)
      if (this.queues.has(owner) && !this.busy.has(owner) && this.isAlone(owner)) void this.runAlone(owner);
    const { shared } = this.options;
    while (shared && this.running < shared.atOnce) {
      const batch = this.takeShared(shared.owners);
      if (batch.length === 0) return;
      void this.runShared(batch);
    }
  }

  private isAlone(owner: string): boolean {
    if (!this.options.shared) return true;
    const until = this.isolatedUntil.get(owner);
    if (until === undefined) return false;
    if (until > Date.now()) return true;
    this.isolatedUntil.delete(owner);
    return false;
  }

  private async runAlone(owner: string): Promise<void> {
    this.busy.add(owner);
    await this.run(this.takeOf(owner));
    this.done([owner]);
  }

  private async runShared(batch: readonly QueuedItem<Item, Result>[]): Promise<void> {
    const owners = [...new Set(batch.map(({ owner }) => owner))];
    for (const owner of owners) this.busy.add(owner);
    this.running += 1;
    await this.run(batch);
    this.running -= 1;
    this.done(owners);
  }

  private done(owners: readonly string[]): void {
    for (const owner of owners) {
      this.busy.delete(owner);
      if (!this.queues.has(owner)) this.latest.delete(owner);
    }
    this.begin(owners);
  }

  /** Never rejects. */
  private async run(batch: readonly QueuedItem<Item, Result>[]): Promise<void> {
    const { retriesOneByOne = false, sendsNextFirst = false } = this.options;
    try {
      const results = await this.work(
        batch.map(({ item }) => item),
        batch[0]?.owner ?? '',
      );
      if (sendsNextFirst) void afterTicks(TICKS_UNTIL_NEXT_IS_SENT, () => resolveAll(batch, results));
      else resolveAll(batch, results);
    } catch (error) {
      const isUnavailable = error instanceof AppError && error.code === 'SERVICE_UNAVAILABLE';
      if (retriesOneByOne && batch.length > 1 && !isUnavailable) for (const queued of batch) await this.run([queued]);
      else for (const { reject } of batch) reject(error);
    }
  }

  /** The next batch of one owner. */
  private takeOf(owner: string): QueuedItem<Item, Result>[] {
    const queue = this.queues.get(owner) ?? [];
    const { items, bytes: maxBytes = Infinity } = this.options;
    let bytes = 0;
    let count = 0;
    while (count < queue.length && count < items) {
      bytes += queue[count]?.bytes ?? 0;
      if (count > 0 && bytes > maxBytes) break;
      count += 1;
    }
    if (count === queue.length) {
      this.queues.delete(owner);
      return queue;
    }
    return queue.splice(0, count);
  }

  private takeShared(most: number): QueuedItem<Item, Result>[] {
    const owners: string[] = [];
    for (const owner of this.queues.keys()) {
      if (owners.length === most) break;
      if (!this.busy.has(owner) && !this.isAlone(owner)) owners.push(owner);
    }
    return this.takeInTurn(owners);
  }

  /** Round robin: one item of each owner until the batch is full; a served owner goes to the end. */
  private takeInTurn(owners: readonly string[]): QueuedItem<Item, Result>[] {
    const taken: QueuedItem<Item, Result>[] = [];
    const { items, bytes: maxBytes = Infinity } = this.options;
    let bytes = 0;
    for (let waiting = owners; waiting.length > 0; waiting = waiting.filter((owner) => this.queues.has(owner)))
      for (const owner of waiting) {
        const queue = this.queues.get(owner) ?? [];
        const [next] = queue;
        if (!next) continue;
        bytes += next.bytes;
        if (taken.length === items || (taken.length > 0 && bytes > maxBytes)) return taken;
        taken.push(next);
        queue.shift();
        this.queues.delete(owner);
        if (queue.length > 0) this.queues.set(owner, queue);
      }
    return taken;
  }
}

function resolveAll<Item, Result>(
  batch: readonly QueuedItem<Item, Result>[],
  results: readonly (Result | AppError)[],
): void {
  for (const [index, { resolve, reject }] of batch.entries()) {
    const result = results[index];
    if (result === undefined) reject(new Error('a batch returned fewer results than it has items'));
    else if (result instanceof AppError) reject(result);
    else resolve(result);
  }
}

/** Promises that settle in a tick run before the next tick begins. */
async function afterTicks(ticks: number, then: () => void): Promise<void> {
  for (let tick = 0; tick < ticks; tick += 1) await new Promise<void>((resolve) => process.nextTick(resolve));
  then();
}
