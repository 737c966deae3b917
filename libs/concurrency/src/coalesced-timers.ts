/** To wake an idle process costs more than most of what it then looks at: what need not be exact happens together. */
const TICK_MS = 500;
/** Longer pauses end at every second tick: there are more of them, and they matter less. */
const LONG_TICK_MS = 1_000;

/**
 * A pause of about `ms`, half a tick more or less, that ends together with other such pauses of this process.
 * Each process has ticks of its own. A pause below half a second stays as it is.
 */
export function coalesced(ms: number, now = performance.now()): number {
  if (ms < TICK_MS) return ms;
  const tickMs = ms < LONG_TICK_MS ? TICK_MS : LONG_TICK_MS;
  return Math.round((now + ms) / tickMs) * tickMs - now;
}

/**
 * Runs `work` at the ticks of `coalesced`, as long as it says that there is something left to look after. `begin` is to be
 * called with each new thing: a process with nothing to look after is not woken. Keeps no process alive.
 */
export class Ticks {
  private timer: NodeJS.Timeout | undefined;
  private isStopped = false;

  constructor(
    private readonly ms: number,
    private readonly work: () => boolean,
  ) {}

  /** Whether a tick is to come. */
  get areComing(): boolean {
    return this.timer !== undefined;
  }

  begin(): void {
    if (this.isStopped) return;
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      if (this.work()) this.begin();
    }, coalesced(this.ms)).unref();
  }

  /** Until the next `begin`. */
  rest(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  stop(): void {
    this.rest();
    this.isStopped = true;
  }
}
