import { AppError, type ReachedLimit } from '@switchyard/kernel';
import { type Caps, type Refusal, nextMidnight, nextMonth, refuse } from './budget-check';

/** The same refusal, with the limit that it is for; null for limits that do not end by themselves. */
export const withLimit = (error: AppError, limit: ReachedLimit | null): AppError =>
  limit === null
    ? error
    : new AppError(error.code, error.message, {
        retryAfterSeconds: error.retryAfterSeconds,
        limit,
      });

/** The refusal by the caps of a Space. */
export function refuseWithin(caps: Caps, refusal: Refusal, now: Date): AppError {
  const error = refuse(refusal, now);
  if (refusal === 'DAILY_LIMIT_EXCEEDED' && caps.dailyTokenCap !== null)
    return withLimit(error, {
      limit: 'dailyTokenCap',
      value: caps.dailyTokenCap,
      until: nextMidnight(now).toISOString(),
    });
  if (refusal === 'MONTHLY_LIMIT_EXCEEDED' && caps.monthlyTokenCap !== null)
    return withLimit(error, {
      limit: 'monthlyTokens',
      value: caps.monthlyTokenCap,
      until: nextMonth(now).toISOString(),
    });
  return error;
}
