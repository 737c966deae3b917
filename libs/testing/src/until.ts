import { setTimeout as sleep } from 'node:timers/promises';

/** After this time, poll less often. */
const EAGER_MS = 2_000;

export interface Patience {
  timeoutMs?: number;
  everyMs?: number;
}

/**
 * Asks again and again until the answer is truthy, and returns it. An error counts as "not yet".
 * When time is up, it fails with the last error, or with the last answer. Time is generous, because only failures take it:
 * a machine that runs other things beside the tests is slow, and not wrong.
 */
export async function until<T>(ask: () => T | Promise<T>, patience: Patience = {}): Promise<NonNullable<T>> {
  const { timeoutMs = 60_000, everyMs } = patience;
  const requestedAt = Date.now();
  const deadline = requestedAt + timeoutMs;
  let last: { answer?: T; error?: unknown } = {};
  for (;;) {
    try {
      last = { answer: await ask() };
      if (last.answer) return last.answer;
    } catch (error) {
      last = { error };
    }
    // Polls once more after a late wake-up: the machine may have been suspended.
    if (Date.now() >= deadline) break;
    // A credential has so many questions a minute, and the rest of the test needs some.
    await sleep(everyMs ?? (Date.now() - requestedAt < EAGER_MS ? 25 : 200));
  }
  const detail = last.error instanceof Error ? last.error.message : JSON.stringify(last.answer);
  throw new Error(`not true within ${timeoutMs} ms; last: ${detail}`, { cause: last.error });
}
