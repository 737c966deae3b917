import { ErrorCode, backoffMs } from '@switchyard/kernel';

export interface RetryRule {
  maxAttempts: number;
  backoffSeconds: number;
}

export const NO_RETRY: RetryRule = { maxAttempts: 1, backoffSeconds: 1 };

const HOUR_MS = 3_600_000;

/** How long to wait after a failed attempt: doubled each time, with jitter, never over an hour. */
export const retryDelayMs = (rule: RetryRule, failedAttempts: number, random = Math.random): number =>
  backoffMs(failedAttempts, { baseMs: rule.backoffSeconds * 1000, maxMs: HOUR_MS }, random);

/** Refusals that the same request would meet again. An answer of an http step is judged by its own rule. */
const FINAL: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'VALIDATION_ERROR',
  'REQUEST_TOO_LARGE',
  'EVENT_PAYLOAD_INVALID',
  'UNAUTHORIZED',
  'INSUFFICIENT_TOKENS',
  'BELOW_MINIMUM_BALANCE',
  'FORBIDDEN',
  'NOT_FOUND',
  'EVENT_NOT_REGISTERED',
  'APPLICATION_NOT_INSTALLED',
  'METHOD_NOT_ALLOWED',
  'IDEMPOTENCY_CONFLICT',
  'DAILY_LIMIT_EXCEEDED',
  'MONTHLY_LIMIT_EXCEEDED',
  'PAYLOAD_TOO_LARGE',
  'SECRET_MISSING',
  'SECRET_UNREADABLE',
  'SECRET_NOT_ALLOWED',
]);

/** Also what has ended the processes that ran it: `retryable` says so. */
export const isFinal = ({ code, retryable }: { code: string; retryable?: boolean }): boolean =>
  FINAL.has(code as ErrorCode) || (code === 'RUNTIME_UNAVAILABLE' && retryable === false);
