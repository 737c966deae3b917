import type { KeyLimits } from '@switchyard/contracts';
import { AppError } from '@switchyard/kernel';
import { nextMidnight, nextMonth } from './budget-check';

export type KeyRefusal = 'DAILY_LIMIT_EXCEEDED' | 'MONTHLY_LIMIT_EXCEEDED';

export interface KeyAccount {
  reserved: number;
  dailyUsed: number;
  monthlyUsed: number;
}

export const hasTokenLimits = (limits: KeyLimits): boolean =>
  limits.dailyTokens !== undefined || limits.monthlyTokens !== undefined;

/** Why a key may not make a call: the day is looked at before the month. The same rule as the reservation's. */
export function keyRefusalOf(limits: KeyLimits, account: KeyAccount): KeyRefusal | null {
  const { dailyTokens, monthlyTokens } = limits;
  if (dailyTokens !== undefined && account.dailyUsed + account.reserved >= dailyTokens) return 'DAILY_LIMIT_EXCEEDED';
  if (monthlyTokens !== undefined && account.monthlyUsed + account.reserved >= monthlyTokens)
    return 'MONTHLY_LIMIT_EXCEEDED';
  return null;
}

const PERIODS = {
  DAILY_LIMIT_EXCEEDED: { name: 'day', endsAt: nextMidnight },
  MONTHLY_LIMIT_EXCEEDED: { name: 'month', endsAt: nextMonth },
} as const;

export function refuseKey(refusal: KeyRefusal, now: Date): AppError {
  const { name, endsAt } = PERIODS[refusal];
  const seconds = Math.max(1, Math.ceil((endsAt(now).getTime() - now.getTime()) / 1000));
  return new AppError(
    refusal,
    `The API key has used the tokens that it may use in a ${name}. It may go on with the next ${name} (UTC).`,
    { retryAfterSeconds: seconds },
  );
}
