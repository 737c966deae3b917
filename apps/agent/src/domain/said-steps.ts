import type { StepMessage } from './turn-state';

/** An answer that had to be repaired: the words that follow it tell the model why. */
const isRefused = (steps: readonly StepMessage[], at: number): boolean => steps[at + 1]?.role === 'repair';

/** What a turn has said: its tools, and the answers that count. One that had to be repaired was never given as one. */
export const saidSteps = (steps: readonly StepMessage[]): StepMessage[] =>
  steps.filter(({ role }, at) => role !== 'repair' && !isRefused(steps, at));

/** The answers that had to be repaired, by their names. */
export const refusedIn = (steps: readonly StepMessage[]): string[] =>
  steps.flatMap(({ id }, at) => (isRefused(steps, at) && id !== undefined ? [id] : []));
