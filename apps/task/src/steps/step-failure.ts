import type { ExecutionError } from '@switchyard/contracts';

/** A failure that has something to show: it is kept as the step's output beside the error. */
export class StepFailure extends Error {
  constructor(
    readonly error: ExecutionError,
    readonly output: unknown,
  ) {
    super(error.message);
  }
}
