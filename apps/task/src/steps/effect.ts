import type { Ctx } from '@switchyard/contracts';
import type { SecretMarks } from '../domain/secret-marks';
import type { ExecutionRow } from '../db/executions.repository';
import type { AnswerSlot } from './answer-slots';

export interface Effect {
  execution: ExecutionRow;
  stepId: string;
  attempt: number;
  /** With marks where secrets belong. */
  input: Record<string, unknown>;
  secrets: SecretMarks;
  ctx: Ctx;
  signal: AbortSignal;
  answerSlot: AnswerSlot;
}

/**
 * External effects of a step have an idempotency key that a second run of the step repeats, so the receiver performs
 * them once. An agent's turn is named for the attempt as well, since a failed turn stays failed.
 */
export const effectKey = ({ execution, stepId }: Pick<Effect, 'execution' | 'stepId'>): string =>
  `${execution.id}:${stepId}`;
