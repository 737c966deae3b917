/**
 * Lets what is ready go out together: at once where it is quiet, and a window after the last time where it is not. What
 * is added twice before that goes out once.
 */
export class Gathering<T> {
  private ready = new Set<T>();
  private timer: NodeJS.Timeout | undefined;
  private isSoon = false;
  private lastMs = -Infinity;

  constructor(
    private readonly windowMs: () => number,
    private readonly letOut: (items: ReadonlySet<T>) => void,
  ) {}

  add(item: T): void {
    this.ready.add(item);
    if (this.timer !== undefined || this.isSoon) return;
    const wait = this.lastMs + this.windowMs() - performance.now();
    if (wait <= 0) {
      this.isSoon = true;
      // Not before what this turn of the event loop sends to others.
      setImmediate(this.out);
    } else this.timer = setTimeout(this.out, wait);
  }

  private readonly out = (): void => {
    this.timer = undefined;
    this.isSoon = false;
    this.lastMs = performance.now();
    const { ready } = this;
    this.ready = new Set();
    this.letOut(ready);
  };
}
