import type { Effect } from './external-effect';

/** A step that acts outside of its execution: it is recorded before it begins, so that its effect has a name. */
export interface OutsideStep {
  readonly isOutside: true;
  /** Whether another execution has the worker while this step waits: an address may take minutes. */
  readonly freesWorker?: boolean;
  run(effect: Effect): Promise<unknown>;
}

/** A step that follows from its input alone: its result is written together with the next step. */
export interface ComputedStep {
  readonly isOutside: false;
  /** How many times the input counts in the size of the step: twice where it is the output as well. */
  readonly copies: number;
  /** `hasWaited`: the wait that an earlier run returned is over. */
  run(input: Record<string, unknown>, hasWaited: boolean): { output: unknown } | { waitMs: number };
}

export type StepExecutor = OutsideStep | ComputedStep;

/**
 * Takes the rest of an input after its fields were taken out of it. A field that a step declares and its executor does
 * not read does not compile.
 */
export function allRead<Rest extends object>(
  _rest: Rest & (keyof Rest extends never ? unknown : { notRead: keyof Rest }),
): void {
  return;
}
