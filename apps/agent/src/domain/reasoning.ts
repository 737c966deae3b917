import { REASONING_MAX } from '@switchyard/contracts';
import { cleanText } from '@switchyard/kernel';
import { visibleSteps } from './visible-steps';
import type { StepMessage } from './turn-state';

const APART = '\n\n';

/** Reasoning of the turn's model before each answer. */
export const reasoningOf = (steps: readonly StepMessage[]): string =>
  visibleSteps(steps)
    .flatMap(({ reasoning }) => reasoning ?? [])
    .join(APART);

/** The reasoning that is kept of a message, when more of it comes. All of it is streamed. */
export function keepReasoning(steps: readonly StepMessage[], stored: string, more: string): string {
  const before = steps.reduce((sum, { reasoning }) => sum + (reasoning ? reasoning.length + APART.length : 0), 0);
  const available = REASONING_MAX - before - stored.length;
  if (available <= 0) return stored;
  // A pair of surrogates that is cut apart is no text.
  return stored + (more.length <= available ? more : cleanText(more.slice(0, available)));
}
