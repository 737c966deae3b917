import type { Statement } from './one-trip';

/**
 * To the end of the transaction, one plan of a prepared statement does for all values. Postgres believes that a list of
 * unknown length has ten entries. A statement that takes lists looks dearer to it without its values than with a short
 * list, and so it would be planned anew each time, which may take longer than to run it.
 */
export const ONE_PLAN = `set_config('plan_cache_mode', 'force_generic_plan', true)`;

/** The beginning of a trip, which says as well that one plan does where all of its statements say so. */
export function beginningOf(door: Statement, statements: readonly Statement[]): Statement {
  if (!statements.every(({ hasOnePlan }) => hasOnePlan === true)) return door;
  return { ...door, name: `${door.name}-one-plan`, sql: `${door.sql}, ${ONE_PLAN}` };
}
