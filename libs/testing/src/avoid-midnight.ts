import { setTimeout as sleep } from 'node:timers/promises';

const DAY_MS = 86_400_000;

/** Waits for the new day where the old one is about to end: counts by day then begin and end in the same day. */
export async function avoidMidnight(): Promise<void> {
  const remaining = DAY_MS - (Date.now() % DAY_MS);
  if (remaining < 30_000) await sleep(remaining);
}
