export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };

/** A clock with a fixed offset to the machine's, to test clock skew. */
export const offsetClock = (offsetMs: number): Clock => ({ now: () => new Date(Date.now() + offsetMs) });

/** Resolves early, without an error, when the signal aborts. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal?.addEventListener('abort', done, { once: true });
  });
}

/** Polls until `hasEnded`, at most `withinMs`: for work that ends by itself, as during shutdown. */
export async function waitUntil(hasEnded: () => boolean, withinMs: number, everyMs = 50): Promise<void> {
  const end = Date.now() + withinMs;
  while (!hasEnded() && Date.now() < end) await sleep(everyMs);
}

/** Exponential back-off with full jitter: attempt 1 waits up to `baseMs`. */
export function backoffMs(attempt: number, limits: { baseMs: number; maxMs: number }, random = Math.random): number {
  const ceiling = Math.min(limits.maxMs, limits.baseMs * 2 ** Math.max(0, attempt - 1));
  return Math.round(ceiling * (0.5 + random() / 2));
}
