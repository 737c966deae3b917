import type { ExecutionError, StepType } from '@switchyard/contracts';
import { AppError, backoffMs, toAppError } from '@switchyard/kernel';
import { type RetryRule, isFinal, retryDelayMs } from './retry-rule';

/** Next action after a failed attempt. */
export type AfterFailure =
  | { kind: 'fail'; error: ExecutionError }
  | { kind: 'retry'; delayMs: number; error: ExecutionError }
  /** A part of the platform is away: the same attempt again, under the same name. */
  | { kind: 'outage'; delayMs: number };

export interface Failed {
  type: StepType;
  tries: number;
  outages: number;
  rule: RetryRule;
}

const OUTAGES: ReadonlySet<string> = new Set([
  'SERVICE_UNAVAILABLE',
  'TIMEOUT',
  'REQUEST_IN_PROGRESS',
  // The news of it came too late for this step: it rests from now on.
  'SPACE_SUSPENDED',
]);
/** About five minutes of waiting in all. */
const MAX_OUTAGES = 25;

export const errorOf = (thrown: unknown): ExecutionError => {
  const { code, message, headers } = toAppError(thrown);
  return { code, message, ...(headers?.['x-should-retry'] === 'false' ? { retryable: false } : {}) };
};

/** The platform itself was unavailable, for any step type. */
export class PlatformOutage extends AppError {}

export function afterFailure(step: Failed, error: ExecutionError, thrown: unknown, random = Math.random): AfterFailure {
  // An address that an http step cannot reach is an error of the task, not an outage of the platform.
  const isOurs = step.type !== 'http' || thrown instanceof PlatformOutage;
  if (isOurs && thrown instanceof AppError && OUTAGES.has(error.code) && step.outages < MAX_OUTAGES) {
    return { kind: 'outage', delayMs: backoffMs(step.outages + 1, { baseMs: 500, maxMs: 15_000 }, random) };
  }
  if (step.tries >= step.rule.maxAttempts || isFinal(error)) return { kind: 'fail', error };
  const count = thrown instanceof AppError ? (thrown.retryAfterSeconds ?? 0) * 1000 : 0;
  return { kind: 'retry', delayMs: Math.max(count, retryDelayMs(step.rule, step.tries, random)), error };
}
