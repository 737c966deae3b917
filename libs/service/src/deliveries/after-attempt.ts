import { ERROR_STATUS } from '@switchyard/kernel';
import { deliveryDelayMs } from './delivery-schedule';
import type { AttemptResult } from './webhook-request';

/** A receiver that answers this wants no more. */
const RECEIVER_ENDED = ERROR_STATUS.STREAM_EXPIRED;

interface AttemptHistory {
  /** Failed attempts before this one. */
  failedBefore: number;
  /** Errors after which no further attempt can succeed. */
  finalErrors?: readonly string[];
}

export type AfterAttempt =
  | { kind: 'delivered' }
  | { kind: 'again'; inMs: number }
  /** `isRefused`: the receiver wants no more. Otherwise the last attempt has failed, or no other can succeed. */
  | { kind: 'ended'; isRefused: boolean };

/** The next step after an attempt. */
export function afterAttempt(
  { status, error, retryAfterMs }: Pick<AttemptResult, 'status' | 'error' | 'retryAfterMs'>,
  { failedBefore, finalErrors = [] }: AttemptHistory,
): AfterAttempt {
  if (error === null) return { kind: 'delivered' };
  if (status === RECEIVER_ENDED) return { kind: 'ended', isRefused: true };
  const inMs = finalErrors.includes(error.code) ? null : deliveryDelayMs({ failed: failedBefore + 1, retryAfterMs });
  return inMs === null ? { kind: 'ended', isRefused: false } : { kind: 'again', inMs };
}
