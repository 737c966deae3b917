/**
 * Sends items in batches: at once if the last batch is a window ago, otherwise when the window ends. Duplicates in a
 * batch are sent once, and one batch is sent at a time.
 */
export class ThrottledBatch<T> {
  private ready = new Set<T>();
  private timer: NodeJS.Timeout | undefined;
  /** A flush is scheduled in this turn of the event loop, or running. */
  private isFlushing = false;
  private lastMs = -Infinity;

  constructor(
    private readonly windowMs: () => number,
    private readonly flush: (items: ReadonlySet<T>) => Promise<void> | void,
  ) {}

  add(item: T): void {
    this.ready.add(item);
    if (this.timer !== undefined || this.isFlushing) return;
    const wait = this.lastMs + this.windowMs() - performance.now();
    if (wait <= 0) {
      this.isFlushing = true;
      // After everything else that this turn of the event loop sends.
      setImmediate(this.out);
    } else this.timer = setTimeout(this.out, wait);
  }

  private readonly out = (): void => {
    this.timer = undefined;
    this.isFlushing = false;
    this.lastMs = performance.now();
    const { ready } = this;
    this.ready = new Set();
    const flushed = this.flush(ready);
    if (flushed) this.waitFor(flushed);
  };

  private waitFor(flushed: Promise<void>): void {
    this.isFlushing = true;
    void flushed.finally(() => {
      this.isFlushing = false;
      const [next] = this.ready;
      if (next !== undefined) this.add(next);
    });
  }
}
