import type { AppError } from '@switchyard/kernel';
import { type Caps, type Refusal, nextMidnight, nextMonth, refuse } from './budget-check';

/** A limit that has refused a call. */
export interface ReachedLimit {
  /** `dailyTokenCap` or `monthlyTokens` of the Space, or `keys/<id>/dailyTokens` and `keys/<id>/monthlyTokens`. */
  limit: string;
  value: number;
  /** When it allows calls again. */
  until: string;
}

const limits = new WeakMap<Error, ReachedLimit>();

/** The limit that a refusal is for. Only of limits that end by themselves. */
export const limitOf = (error: unknown): ReachedLimit | undefined =>
  error instanceof Error ? limits.get(error) : undefined;

export function withLimit(error: AppError, limit: ReachedLimit | null): AppError {
  if (limit) limits.set(error, limit);
  return error;
}

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
