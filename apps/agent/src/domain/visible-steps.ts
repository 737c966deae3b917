import type { StepMessage } from './turn-state';

/** An answer that had to be repaired: the message that follows it tells the model why. */
const isRefused = (steps: readonly StepMessage[], at: number): boolean => steps[at + 1]?.role === 'repair';

/** The tools of a turn, and the answers that count. One that had to be repaired was never given as one. */
export const visibleSteps = (steps: readonly StepMessage[]): StepMessage[] =>
  steps.filter(({ role }, at) => role !== 'repair' && !isRefused(steps, at));
