import { setTimeout as sleep } from 'node:timers/promises';

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
  const { timeoutMs = 30_000, everyMs = 25 } = patience;
  const deadline = Date.now() + timeoutMs;
  let last: { answer?: T; error?: unknown } = {};
  do {
    try {
      last = { answer: await ask() };
      if (last.answer) return last.answer;
    } catch (error) {
      last = { error };
    }
    await sleep(everyMs);
  } while (Date.now() < deadline);
  const detail = last.error instanceof Error ? last.error.message : JSON.stringify(last.answer);
  throw new Error(`not true within ${timeoutMs} ms; last: ${detail}`, { cause: last.error });
}
