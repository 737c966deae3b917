/** What the balance and the caps of a Space, or the limits of a key, refuse a call of a model for. */
export const NOT_AFFORDED = [
  'REQUEST_TOO_LARGE',
  'INSUFFICIENT_TOKENS',
  'BELOW_MINIMUM_BALANCE',
  'DAILY_LIMIT_EXCEEDED',
  'MONTHLY_LIMIT_EXCEEDED',
] as const;
