import type { JobError, TurnResult } from '@switchyard/contracts';
import { AppError, type ErrorCode, backoffMs, isErrorCode, toAppError } from '@switchyard/kernel';

/** The job's next step, decided from the state of its turn. */
export type AttemptOutcome =
  | { kind: 'succeeded' }
  | { kind: 'running' }
  | { kind: 'waiting' }
  | { kind: 'cancelled' }
  | { kind: 'failed'; error: JobError }
  /** The next attempt, after a wait. */
  | { kind: 'retry'; error: JobError; delayMs: number }
  /** The same attempt with a new turn, after a wait: the model's provider asked for it. */
  | { kind: 'throttled'; error: JobError; delayMs: number }
  /** The same turn again, after a wait: a part of the platform is away. */
  | { kind: 'outage'; delayMs: number };

export interface AttemptRule {
  attempt: number;
  maxAttempts: number;
  baseMs: number;
}

const MAX_WAIT_MS = 300_000;
const THROTTLED_MS = 2_000;

/** No reply: the state of the turn is unknown, and a retry with the same turn id is safe. */
const OUTAGES: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'SERVICE_UNAVAILABLE',
  'TIMEOUT',
  'REQUEST_IN_PROGRESS',
  // The provider's pause was reported too late for this attempt: it starts now.
  'SPACE_SUSPENDED',
]);
/** Worth another attempt; everything else would be refused again. */
const TRANSIENT: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'RUNTIME_UNAVAILABLE',
  'SERVER_ERROR',
  'COMPACTION_UNAVAILABLE',
  ...OUTAGES,
]);

/** It has ended the processes that ran it: another attempt would end others. */
const isGivenUp = (code: ErrorCode, retryable: boolean | undefined): boolean =>
  code === 'RUNTIME_UNAVAILABLE' && retryable === false;

const retry = (rule: AttemptRule, error: JobError, random: () => number): AttemptOutcome =>
  rule.attempt >= rule.maxAttempts
    ? { kind: 'failed', error }
    : { kind: 'retry', error, delayMs: backoffMs(rule.attempt, { baseMs: rule.baseMs, maxMs: MAX_WAIT_MS }, random) };

export function afterError(rule: AttemptRule, thrown: unknown, outages: number, random = Math.random): AttemptOutcome {
  const { code, message, retryAfterSeconds, headers } = toAppError(thrown);
  const error = { code, message };
  if (thrown instanceof AppError && OUTAGES.has(code))
    return { kind: 'outage', delayMs: backoffMs(outages + 1, { baseMs: 500, maxMs: 15_000 }, random) };
  if (code === 'RATE_LIMITED')
    return {
      kind: 'throttled',
      error,
      delayMs: retryAfterSeconds === undefined ? THROTTLED_MS : retryAfterSeconds * 1000,
    };
  if (isGivenUp(code, headers?.['x-should-retry'] !== 'false')) return { kind: 'failed', error };
  return TRANSIENT.has(code) ? retry(rule, error, random) : { kind: 'failed', error };
}

export function afterTurn(
  rule: AttemptRule,
  turn: Pick<TurnResult, 'status' | 'error'>,
  random = Math.random,
): AttemptOutcome {
  switch (turn.status) {
    case 'COMPLETED':
      return { kind: 'succeeded' };
    case 'RUNNING':
      return { kind: 'running' };
    case 'WAITING_INPUT':
      return { kind: 'waiting' };
    case 'CANCELLED':
      return { kind: 'cancelled' };
    case 'FAILED': {
      const code = turn.error && isErrorCode(turn.error.code) ? turn.error.code : 'RUNTIME_UNAVAILABLE';
      const error = { code, message: turn.error?.message ?? 'The turn failed.' };
      if (code === 'RATE_LIMITED') return { kind: 'throttled', error, delayMs: THROTTLED_MS };
      if (isGivenUp(code, turn.error?.retryable)) return { kind: 'failed', error };
      return TRANSIENT.has(code) ? retry(rule, error, random) : { kind: 'failed', error };
    }
  }
}
