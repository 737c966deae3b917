/** Errors of the budget: balance and caps of a Space, limits of a key. */
export const NOT_AFFORDED = [
  'REQUEST_TOO_LARGE',
  'INSUFFICIENT_TOKENS',
  'BELOW_MINIMUM_BALANCE',
  'DAILY_LIMIT_EXCEEDED',
  'MONTHLY_LIMIT_EXCEEDED',
] as const;
