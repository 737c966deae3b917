import type { Statement } from './pipelined-batch';

/**
 * Uses generic plans for the rest of the transaction. For statements with list parameters Postgres estimates ten
 * entries, and would plan them anew each time, which may take longer than running them.
 */
export const ONE_PLAN = `set_config('plan_cache_mode', 'force_generic_plan', true)`;

/** First statement of a batch; also selects generic plans if all statements allow it. */
export function beginningOf(role: Statement, statements: readonly Statement[]): Statement {
  if (!statements.every(({ hasOnePlan }) => hasOnePlan === true)) return role;
  return { ...role, name: `${role.name}-one-plan`, sql: `${role.sql}, ${ONE_PLAN}` };
}
