import type { MisfirePolicy } from '@switchyard/contracts';

export interface DueTask {
  /** The due time that the row stands at. */
  slot: Date;
  misfire: MisfirePolicy;
}

export interface Firing {
  /** The due time to run, if any. */
  run: Date | null;
  nextRunAt: Date | null;
  /** Due times that passed and were not run. */
  missed: number;
}

/** More missed times than these are not counted: each takes a tenth of a millisecond. */
const COUNT_LIMIT = 1_000;
const COUNTED_AT_ONCE = 100;

/**
 * One look at a schedule whose time has come. A slot is on time within the grace; older ones were missed: SKIP lets
 * them go, RUN_ONCE runs the latest of them once. It pauses after each slice of work; see `runInSlices`.
 */
export function* firing(
  task: DueTask,
  now: Date,
  graceMs: number,
  nextAfter: (at: Date) => Date | null,
): Generator<void, Firing> {
  let latest = task.slot;
  let next = nextAfter(latest);
  let passed = 1;
  for (; next !== null && next <= now && passed < COUNT_LIMIT; passed += 1) {
    latest = next;
    next = nextAfter(latest);
    if (passed % COUNTED_AT_ONCE === 0) yield;
  }
  if (next !== null && next <= now) {
    latest = latestUntil(now, next, nextAfter);
    next = nextAfter(now);
  }
  const onTime = now.getTime() - latest.getTime() <= graceMs;
  const run = onTime || task.misfire === 'RUN_ONCE' ? latest : null;
  return { run, nextRunAt: next, missed: run === null ? passed : passed - 1 };
}

/** The last due time that is not after an instant, by halves; `known` is an earlier one. */
function latestUntil(instant: Date, existing: Date, nextAfter: (at: Date) => Date | null): Date {
  let latest = existing;
  let end = instant.getTime();
  while (end - latest.getTime() > 1000) {
    const middle = new Date((latest.getTime() + end) / 2);
    const next = nextAfter(middle);
    if (next !== null && next <= instant) latest = next;
    else end = middle.getTime();
  }
  return latest;
}
