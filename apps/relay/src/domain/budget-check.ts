import { AppError } from '@switchyard/kernel';

export interface Caps {
  requestTokenCap: number;
  minimumBalance: number | null;
  dailyTokenCap: number | null;
  /** The operator's alone. */
  monthlyTokenCap: number | null;
  /** The balance stops nothing. */
  isUnmetered: boolean;
}

export interface AccountState {
  balance: number;
  /** Tokens reserved by running calls. */
  reserved: number;
  /** Tokens that relays have preleased for future calls. */
  ahead: number;
  dailyUsed: number;
  monthlyUsed: number;
}

export type Refusal =
  | 'REQUEST_TOO_LARGE'
  | 'INSUFFICIENT_TOKENS'
  | 'BELOW_MINIMUM_BALANCE'
  | 'DAILY_LIMIT_EXCEEDED'
  | 'MONTHLY_LIMIT_EXCEEDED';

/** The next midnight UTC: when a day's tokens count from 0 again. */
export const nextMidnight = (now: Date): Date =>
  new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1));

/** The first of the next month UTC: when a month's tokens count from 0 again. */
export const nextMonth = (now: Date): Date => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1));

const secondsUntil = (end: Date, now: Date): number => Math.max(1, Math.ceil((end.getTime() - now.getTime()) / 1000));

/**
 * Why a call may not be made, in the order in which callers are told; null when it may. The balance rule is the one of
 * the reservation: a call is let in while balance minus reserved is over 0 and not under the minimum, so the last one
 * may overdraw, or pass the minimum, by itself only.
 */
export function refusalOf(caps: Caps, account: AccountState, request: { countedTokens: number }): Refusal | null {
  if (request.countedTokens > caps.requestTokenCap) return 'REQUEST_TOO_LARGE';
  const reserved = account.reserved + account.ahead;
  if (!caps.isUnmetered) {
    if (account.balance - reserved <= 0) return 'INSUFFICIENT_TOKENS';
    if (caps.minimumBalance !== null && account.balance - reserved < caps.minimumBalance)
      return 'BELOW_MINIMUM_BALANCE';
  }
  if (caps.dailyTokenCap !== null && account.dailyUsed + reserved >= caps.dailyTokenCap) return 'DAILY_LIMIT_EXCEEDED';
  if (caps.monthlyTokenCap !== null && account.monthlyUsed + reserved >= caps.monthlyTokenCap)
    return 'MONTHLY_LIMIT_EXCEEDED';
  return null;
}

/** Whether a call is refused for tokens alone that are held for calls still to come. */
export const isRefusedForPreleased = (caps: Caps, account: AccountState): boolean =>
  refusalOf(caps, account, { countedTokens: 0 }) !== null &&
  refusalOf(caps, { ...account, ahead: 0 }, { countedTokens: 0 }) === null;

/** How many calls of this size must still fit, so that what was known a moment ago leaves no doubt about one. */
const AMPLE = 200;

/** Available tokens, preleased ones included: those are reclaimed on demand. */
function freeTokens(caps: Caps, account: AccountState): number {
  const { minimumBalance: minimum, dailyTokenCap: ofDay, monthlyTokenCap: ofMonth, isUnmetered } = caps;
  return Math.min(
    isUnmetered ? Infinity : account.balance - account.reserved - 1,
    isUnmetered || minimum === null ? Infinity : account.balance - account.reserved - minimum,
    ofDay === null ? Infinity : ofDay - account.dailyUsed - account.reserved - 1,
    ofMonth === null ? Infinity : ofMonth - account.monthlyUsed - account.reserved - 1,
  );
}

/** The largest call that would be let in even if the account has moved a good deal since it was read. */
export const ampleTokens = (caps: Caps, account: AccountState): number =>
  Math.max(0, Math.floor(freeTokens(caps, account) / AMPLE));

export const hasHeadroom = (caps: Caps, account: AccountState, tokens: number): boolean =>
  Math.max(tokens, 1) <= ampleTokens(caps, account);

/** How many calls of its size a lease holds tokens for in advance, and which part of what is free it takes at most. */
const PRELEASED_CALLS = 64;
const PRELEASED_PART = 4;

/**
 * Tokens to prelease for future calls of this size, if the lease has `own` now. A lease of about the right size stays:
 * the account moves with each call, and the lease need not be written each time.
 */
export function preleasedTokens(caps: Caps, account: AccountState, tokens: number, own: number): number {
  if (!hasHeadroom(caps, account, tokens)) return 0;
  const free = freeTokens(caps, account) - account.ahead + own;
  const right = Math.max(0, Math.min(tokens * PRELEASED_CALLS, Math.floor(free / PRELEASED_PART)));
  return own >= right / 2 && own <= right * 2 ? own : right;
}

/** Remaining tokens of the day; null without a daily cap. */
export function dayOf(
  caps: Caps,
  account: AccountState,
  now: Date,
): { cap: number; left: number; endsInSeconds: number } | null {
  const { dailyTokenCap: cap } = caps;
  if (cap === null) return null;
  const remaining = Math.max(0, cap - account.dailyUsed - account.reserved);
  return { cap, left: remaining, endsInSeconds: Math.ceil((nextMidnight(now).getTime() - now.getTime()) / 1000) };
}

export function refuse(refusal: Refusal, now: Date, cap?: number): AppError {
  switch (refusal) {
    case 'REQUEST_TOO_LARGE':
      return new AppError(
        refusal,
        `The request needs more tokens than one request of this Space may${cap === undefined ? '' : ` (${cap})`}. Shorten it or lower max_tokens.`,
      );
    case 'INSUFFICIENT_TOKENS':
      return new AppError(refusal, "The Space's token balance is used up. An operator of the platform can add tokens.");
    case 'BELOW_MINIMUM_BALANCE':
      return new AppError(
        refusal,
        "The Space's token balance, less the tokens that its running calls hold, is below the minimum that it has set. An operator of the platform can add tokens.",
      );
    case 'DAILY_LIMIT_EXCEEDED':
      return new AppError(refusal, "The Space's token cap of today is reached. It starts again at midnight UTC.", {
        retryAfterSeconds: secondsUntil(nextMidnight(now), now),
      });
    case 'MONTHLY_LIMIT_EXCEEDED':
      return new AppError(
        refusal,
        'The Space has reached its ceiling monthlyTokens, which an operator of the platform has set. It starts again with the next month (UTC).',
        { retryAfterSeconds: secondsUntil(nextMonth(now), now) },
      );
  }
}
