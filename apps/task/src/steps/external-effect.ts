import type { Ctx } from '@switchyard/contracts';
import type { SecretPlaceholders } from '../domain/secret-placeholders';
import type { ExecutionRow } from '../db/executions.repository';
import type { AnswerSlot } from './large-response-slots';

export interface Effect {
  execution: ExecutionRow;
  stepId: string;
  attempt: number;
  /** With marks where secrets belong. */
  input: Record<string, unknown>;
  secrets: SecretPlaceholders;
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
