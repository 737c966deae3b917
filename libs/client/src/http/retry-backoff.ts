import { SwitchyardError } from './errors';

const BASE_MS = 250;
const MAX_MS = 5000;

/** Grows with each attempt, with jitter, so that clients cut off together do not come back together. */
export function retryPauseMs(attempt: number, error?: unknown): number {
  if (error instanceof SwitchyardError && error.retryAfterSeconds !== null) return error.retryAfterSeconds * 1000;
  return Math.random() * Math.min(MAX_MS, BASE_MS * 2 ** attempt);
}

/** Ends early when the signal aborts. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
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
