import type { ExecutionStatus, StepStatus } from '@switchyard/contracts';
import { hasEnded } from './execution-state';
import { RetryRule, NO_RETRY } from './retry-rule';

export interface StepRule {
  id: string;
  retry?: { maxAttempts?: number; backoffSeconds?: number };
  continueOnError?: boolean;
}

export interface StepStand {
  id: string;
  status: StepStatus;
  output: unknown;
  error: { code: string; message: string } | null;
}

export type Plan<S> =
  | { next: S }
  | { end: 'SUCCEEDED'; output: unknown }
  | { end: 'FAILED'; error: { code: string; message: string } };

const UNKNOWN_FAILURE = { code: 'SERVER_ERROR', message: 'The step failed.' };

/** The next step, derived from the recorded steps alone, so every worker gets the same result. */
export function planNext<S extends StepRule>(steps: readonly S[], stands: ReadonlyMap<string, StepStand>): Plan<S> {
  let output: unknown = null;
  for (const step of steps) {
    const stand = stands.get(step.id);
    switch (stand?.status) {
      case 'SUCCEEDED':
        output = stand.output;
        break;
      case 'SKIPPED':
        break;
      case 'FAILED':
        if (step.continueOnError !== true)
          return { end: 'FAILED', error: stepError(step.id, stand.error ?? UNKNOWN_FAILURE) };
        break;
      case 'PENDING':
      case 'RUNNING':
      case 'CANCELLED':
      case undefined:
        return { next: step };
    }
  }
  return { end: 'SUCCEEDED', output };
}

const stepError = (id: string, error: { code: string; message: string }): { code: string; message: string } => ({
  code: error.code,
  message: `Step "${id}" failed: ${error.message}`,
});

export const retryRuleOf = (step: StepRule): RetryRule => ({
  maxAttempts: step.retry?.maxAttempts ?? NO_RETRY.maxAttempts,
  backoffSeconds: step.retry?.backoffSeconds ?? NO_RETRY.backoffSeconds,
});

/** Steps that have their result: they are never run again. */
export const isDone = (status: StepStatus): boolean =>
  status === 'SUCCEEDED' || status === 'SKIPPED' || status === 'FAILED';

/** Of a step that no attempt was made of: nothing is pending in an execution that has ended. */
export const unreachedIn = (execution: ExecutionStatus): StepStatus => (hasEnded(execution) ? 'SKIPPED' : 'PENDING');

/** After a failure: which steps a retry clears. A failure that the task tolerated keeps its result. */
export const toRunAgain = <S extends StepRule>(steps: readonly S[], stands: ReadonlyMap<string, StepStand>): string[] =>
  steps
    .filter((step) => {
      const status = stands.get(step.id)?.status;
      return status === 'RUNNING' || status === 'CANCELLED' || (status === 'FAILED' && step.continueOnError !== true);
    })
    .map((step) => step.id);
