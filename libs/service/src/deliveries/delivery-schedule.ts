const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** The wait before the second attempt. */
export const FIRST_WAIT_MS = 5 * SECOND;
/** Waits before the second attempt, the third, and so on: nine attempts in about 45 hours. */
const WAITS_MS = [FIRST_WAIT_MS, MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 6 * HOUR, 12 * HOUR, 24 * HOUR];
const RETRY_AFTER_MAX_MS = 24 * HOUR;

interface FailedAttempt {
  /** How many have failed by now. */
  failed: number;
  /** Of the receiver. */
  retryAfterMs?: number | null;
  random?: () => number;
}

/** How long to wait for the next attempt, or null after the last one. With a little jitter; never before Retry-After. */
export function deliveryDelayMs({ failed, retryAfterMs = null, random = Math.random }: FailedAttempt): number | null {
  const wait = WAITS_MS[failed - 1];
  if (wait === undefined) return null;
  if (retryAfterMs !== null) return Math.min(retryAfterMs, RETRY_AFTER_MAX_MS);
  return Math.round(wait * (0.9 + random() * 0.2));
}

/** The header Retry-After, in seconds or as a date; null if there is none, or it cannot be read. */
export function readRetryAfter(value: string | undefined, now = Date.now()): number | null {
  const text = value?.trim() ?? '';
  if (/^\d{1,10}$/.test(text)) return Number(text) * SECOND;
  if (!/^[A-Z][a-z]{2}, /.test(text)) return null;
  const at = Date.parse(text);
  return Number.isNaN(at) ? null : Math.max(0, at - now);
}
