import { AppError } from '@switchyard/kernel';

interface Waiting<T, R> {
  item: T;
  resolve: (result: R) => void;
  reject: (error: unknown) => void;
}

/**
 * Lets calls that arrive together share one transaction. The first one goes at once; what arrives while it is under way
 * forms the next batch. A batch that fails for a reason of its own is tried again item by item, so that one bad item
 * cannot take others down.
 */
export class GroupCommit<T, R> {
  private waiting: Waiting<T, R>[] = [];
  private running = 0;
  private added = 0;
  private done = 0;
  private watchers: { target: number; wake: () => void }[] = [];

  constructor(
    private readonly commit: (items: T[]) => Promise<R[]>,
    private readonly limits: { batch: number; lanes: number },
  ) {}

  add(item: T): Promise<R> {
    return new Promise((resolve, reject) => {
      this.added += 1;
      this.waiting.push({ item, resolve, reject });
      this.start();
    });
  }

  /** Resolves when everything that was added before has been committed or has failed. */
  flushed(): Promise<void> {
    const target = this.added;
    if (this.done >= target) return Promise.resolve();
    return new Promise((wake) => this.watchers.push({ target, wake }));
  }

  get size(): number {
    return this.waiting.length + this.running;
  }

  private start(): void {
    if (this.running >= this.limits.lanes || this.waiting.length === 0) return;
    this.running += 1;
    // One turn of the event loop: requests that were read together travel together.
    setImmediate(() => void this.run(this.waiting.splice(0, this.limits.batch)));
  }

  private async run(batch: Waiting<T, R>[]): Promise<void> {
    try {
      if (batch.length > 0) await this.commitAll(batch);
    } finally {
      this.running -= 1;
      this.done += batch.length;
      for (const watcher of this.watchers) if (this.done >= watcher.target) watcher.wake();
      this.watchers = this.watchers.filter((watcher) => this.done < watcher.target);
      this.start();
    }
  }

  private async commitAll(batch: Waiting<T, R>[]): Promise<void> {
    try {
      const results = await this.commit(batch.map((entry) => entry.item));
      batch.forEach((entry, index) => entry.resolve(results[index] as R));
    } catch (error) {
      const isOutage = error instanceof AppError && error.code === 'SERVICE_UNAVAILABLE';
      if (batch.length === 1 || isOutage) for (const entry of batch) entry.reject(error);
      else for (const entry of batch) await this.commitAll([entry]);
    }
  }
}
