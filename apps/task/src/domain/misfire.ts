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

/** A year of minutes: past it, counting missed times is of no use to anybody. */
const COUNT_LIMIT = 10_000;

/**
 * One look at a schedule whose time has come. A slot is on time within the grace; older ones were missed: SKIP lets
 * them go, RUN_ONCE runs the latest of them once.
 */
export function fire(task: DueTask, now: Date, graceMs: number, nextAfter: (at: Date) => Date | null): Firing {
  let latest = task.slot;
  let next = nextAfter(latest);
  let passed = 1;
  while (next !== null && next <= now && passed < COUNT_LIMIT) {
    latest = next;
    next = nextAfter(latest);
    passed += 1;
  }
  if (next !== null && next <= now) next = nextAfter(now);
  const onTime = now.getTime() - latest.getTime() <= graceMs;
  const run = onTime || task.misfire === 'RUN_ONCE' ? latest : null;
  return { run, nextRunAt: next, missed: run === null ? passed : passed - 1 };
}
