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

/** As `setInterval`, at the ticks of `coalesced`. Keeps no process alive. The returned function ends it. */
export function everyTick(ms: number, work: () => void): () => void {
  let timer: NodeJS.Timeout;
  const wait = (): void => {
    timer = setTimeout(() => {
      wait();
      work();
    }, coalesced(ms)).unref();
  };
  wait();
  return () => {
    clearTimeout(timer);
  };
}
