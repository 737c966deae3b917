import { AppError } from '@switchyard/kernel';

export interface FairSemaphoreOptions {
  slots: number;
  /** Most slots of one owner while another owner waits. */
  share: number;
  /** Slots that an owner over its share leaves free for other owners, even if none waits. */
  reserve?: number;
  /** How long a caller waits for a slot before it is refused. */
  waitMs: number;
  /** Most waiting callers in total, and of one owner. */
  waiting: { all: number; each: number };
  /** Error of a caller that cannot queue, or waited too long. */
  refusal: () => AppError;
}

/** 503 for a resource that is at its limit. */
export const tooManyWaitFor = (resource: string) => (): AppError =>
  new AppError('SERVICE_UNAVAILABLE', `Too many requests wait for ${resource}. Try again shortly.`, {
    retryAfterSeconds: 1,
  });

interface Waiter {
  grant(): void;
}

/**
 * A semaphore that owners (Spaces) share: round robin among those that wait, and none gets more than its share
 * meanwhile. `null` is the platform itself: without a share limit, but in the same round robin.
 */
export class FairSemaphore {
  used = 0;
  waiting = 0;
  refused = 0;
  private readonly usedSlots = new Map<string | null, number>();
  /** In round-robin order. */
  private readonly queues = new Map<string | null, Waiter[]>();

  constructor(private readonly options: FairSemaphoreOptions) {}

  get slots(): number {
    return this.options.slots;
  }

  slotsOf(owner: string | null): number {
    return this.usedSlots.get(owner) ?? 0;
  }

  /** Takes a free slot and returns undefined, or returns a promise of one. */
  acquire(owner: string | null): Promise<void> | undefined {
    if (!this.queues.has(owner) && this.mayEnter(owner)) {
      this.enter(owner);
      return undefined;
    }
    return this.wait(owner);
  }

  /** Takes a slot over the limit, for work that cannot be refused any more. `release` gives it back. */
  force(owner: string | null): void {
    this.enter(owner);
  }

  release(owner: string | null): void {
    this.used -= 1;
    const remaining = this.slotsOf(owner) - 1;
    if (remaining > 0) this.usedSlots.set(owner, remaining);
    else this.usedSlots.delete(owner);
    this.admitWaiting();
  }

  /**
   * Waits without a time or queue limit, for work that cannot be refused any more and is limited by something else.
   * Resolves without a slot if the signal aborts.
   */
  acquireInTime(owner: string | null, signal: AbortSignal): 'entered' | 'stopped' | Promise<'entered' | 'stopped'> {
    if (signal.aborted) return 'stopped';
    if (!this.queues.has(owner) && this.mayEnter(owner)) {
      this.enter(owner);
      return 'entered';
    }
    return new Promise((resolve) => {
      const stop = (): void => {
        this.giveUp(owner, waiter);
        resolve('stopped');
      };
      const waiter: Waiter = {
        grant: () => {
          signal.removeEventListener('abort', stop);
          resolve('entered');
        },
      };
      signal.addEventListener('abort', stop, { once: true });
      this.queue(owner, waiter);
    });
  }

  async run<T>(owner: string | null, work: () => Promise<T>): Promise<T> {
    const entering = this.acquire(owner);
    if (entering !== undefined) await entering;
    try {
      return await work();
    } finally {
      this.release(owner);
    }
  }

  private wait(owner: string | null): Promise<void> {
    const { waiting, waitMs } = this.options;
    if (this.waiting >= waiting.all || (this.queues.get(owner)?.length ?? 0) >= waiting.each)
      return Promise.reject(this.refuse());
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.giveUp(owner, waiter);
        reject(this.refuse());
      }, waitMs);
      timer.unref();
      const waiter: Waiter = {
        grant: () => {
          clearTimeout(timer);
          resolve();
        },
      };
      this.queue(owner, waiter);
    });
  }

  private queue(owner: string | null, waiter: Waiter): void {
    const queue = this.queues.get(owner);
    if (queue === undefined) this.queues.set(owner, [waiter]);
    else queue.push(waiter);
    this.waiting += 1;
    // An owner under its share may pass others that wait because they are over theirs.
    this.admitWaiting();
  }

  private refuse(): AppError {
    this.refused += 1;
    return this.options.refusal();
  }

  private giveUp(owner: string | null, waiter: Waiter): void {
    const queue = this.queues.get(owner);
    const at = queue?.indexOf(waiter) ?? -1;
    if (queue === undefined || at < 0) return;
    queue.splice(at, 1);
    this.waiting -= 1;
    if (queue.length === 0) this.queues.delete(owner);
    // Slots reserved for this caller are free for owners over their share again.
    this.admitWaiting();
  }

  private isUnderShare(owner: string | null): boolean {
    return owner === null || this.slotsOf(owner) < this.options.share;
  }

  private mayEnter(owner: string | null): boolean {
    const free = this.options.slots - this.used;
    if (free <= 0) return false;
    return this.isUnderShare(owner) || (this.queues.size === 0 && free > (this.options.reserve ?? 0));
  }

  private enter(owner: string | null): void {
    this.used += 1;
    this.usedSlots.set(owner, this.slotsOf(owner) + 1);
  }

  private admitWaiting(): void {
    for (;;) {
      const owner = this.nextOwner();
      if (owner === undefined) return;
      const queue = this.queues.get(owner);
      const waiter = queue?.shift();
      // Its next turn comes after all other owners.
      this.queues.delete(owner);
      if (queue !== undefined && queue.length > 0) this.queues.set(owner, queue);
      if (waiter === undefined) continue;
      this.waiting -= 1;
      this.enter(owner);
      waiter.grant();
    }
  }

  private nextOwner(): string | null | undefined {
    const free = this.options.slots - this.used;
    if (free <= 0) return undefined;
    let fewest: string | null | undefined;
    for (const owner of this.queues.keys()) {
      if (this.isUnderShare(owner)) return owner;
      if (fewest === undefined || this.slotsOf(owner) < this.slotsOf(fewest)) fewest = owner;
    }
    return free > (this.options.reserve ?? 0) ? fewest : undefined;
  }
}
