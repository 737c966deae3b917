import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const LOOK_MS = 100;
/** As much of all processors may be busy. */
const QUIET_SHARE = 0.1;
/** A machine that others use is never quiet. */
const PATIENCE_MS = 3_000;

interface Jiffies {
  idle: number;
  all: number;
}

function jiffies(): Jiffies {
  const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n', 1);
  const values = line.trim().split(/\s+/u).slice(1, 9).map(Number);
  return { idle: (values[3] ?? 0) + (values[4] ?? 0), all: values.reduce((sum, value) => sum + value, 0) };
}

/** Waits until the work that the round before left behind is over: a queue that empties, garbage, a checkpoint. */
export async function untilQuiet(): Promise<void> {
  const giveUpAt = Date.now() + PATIENCE_MS;
  let before = jiffies();
  while (Date.now() < giveUpAt) {
    await sleep(LOOK_MS);
    const now = jiffies();
    const busy = 1 - (now.idle - before.idle) / Math.max(1, now.all - before.all);
    if (busy < QUIET_SHARE) return;
    before = now;
  }
}
