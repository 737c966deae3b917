/**
 * A batch window: what is ready goes out together, at once where it is quiet, and a window after the last time where it
 * is not. What is added twice before that goes out once. Nothing more goes out while the one before is on its way.
 */
export class Gathering<T> {
  private ready = new Set<T>();
  private timer: NodeJS.Timeout | undefined;
  /** A flush is due in this turn of the event loop, or on its way. */
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
      // Not before what this turn of the event loop sends to others.
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
