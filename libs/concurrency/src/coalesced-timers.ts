/** Waking an idle process costs more than most polls, so inexact timers fire together. */
const TICK_MS = 500;
/** Longer pauses end at every second tick: there are more of them, and they are less urgent. */
const LONG_TICK_MS = 1_000;
/** Pauses of so long, or a multiple of it, are those of an idle process: it wakes once for all of them. */
const IDLE_TICK_MS = 5_000;
/** A timer may fire a little before its tick. */
const EARLY_MS = 50;

/**
 * Rounds a pause of about `ms` to a tick of this process, so that timers fire together; below half a second it is
 * unchanged. Multiples of five seconds end at a common tick, never later than asked. Processes tick at different times.
 */
export function coalesced(ms: number, now = performance.now()): number {
  if (ms < TICK_MS) return ms;
  if (ms % IDLE_TICK_MS === 0) return Math.floor((now + ms + EARLY_MS) / IDLE_TICK_MS) * IDLE_TICK_MS - now;
  const tickMs = ms < LONG_TICK_MS ? TICK_MS : LONG_TICK_MS;
  return Math.round((now + ms) / tickMs) * tickMs - now;
}

/**
 * Runs `work` at the ticks of `coalesced` until it returns that nothing remains. Call `begin` for each new item. Does
 * not keep the process alive.
 */
export class Ticks {
  private timer: NodeJS.Timeout | undefined;
  private isStopped = false;

  constructor(
    private readonly ms: number,
    private readonly work: () => boolean,
  ) {}

  /** Whether a tick is scheduled. */
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

  /** Stops until the next `begin`. */
  rest(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  stop(): void {
    this.rest();
    this.isStopped = true;
  }
}
