import { retry } from '@switchyard/concurrency';
import { isTransient } from '@switchyard/kernel';

const PAUSE_MS = 500;

/** Asks again while the service is away, for calls that may be made twice: a restart should not cost a long upload. */
export function retryWhileUnavailable<T>(call: () => Promise<T>, patienceMs = 60_000): Promise<T> {
  return retry(call, { withinMs: patienceMs, baseMs: PAUSE_MS, maxMs: PAUSE_MS, shouldRetry: isTransient });
}
