const TAKES = `e.active and e.status <> 'DISABLED'`;

/**
 * SQL: `status`, `error` and `settled_at` of a new delivery to the endpoint `e`. One that takes nothing has it as FAILED
 * at once.
 */
export const FIRST_OUTCOME = `case when ${TAKES} then 'PENDING' else 'FAILED' end,
  case when ${TAKES} then null else 'ENDPOINT_DISABLED' end, case when ${TAKES} then null else clock_timestamp() end`;
