import { AppError } from '@switchyard/kernel';

/** How large what templates build may be, in bytes of JSON. */
export interface TemplateLimits {
  /** One value, also one in between two filters. */
  valueBytes: number;
  /** All that a step's templates make together. */
  stepBytes: number;
}

/** Budget for parsing and rendering in one step, as a multiple of the step's maximum size. */
const WORK_PER_BYTE = 32;
/** Work between two chances for others: a few milliseconds. */
const SLICE = 512 * 1024;

/** Counts what the templates of one step read and build, and refuses before something too large is built. */
export class TemplateOutputLimit {
  private stepBudget: number;
  private workBudget: number;
  private slice = SLICE;

  constructor(readonly limits: TemplateLimits) {
    this.stepBudget = limits.stepBytes;
    this.workBudget = limits.stepBytes * WORK_PER_BYTE;
  }

  /** For a value that is about to be built, or that a filter is about to read. */
  value(bytes: number): void {
    if (bytes <= this.limits.valueBytes) {
      this.work(bytes);
      return;
    }
    throw new AppError(
      'VALIDATION_ERROR',
      `A value in the step's templates is over ${this.limits.valueBytes} bytes (TASK_VALUE_MAX_BYTES); use less of what earlier steps gave.`,
    );
  }

  /** For a part of what the step becomes. */
  step(bytes: number): void {
    this.stepBudget -= bytes;
    this.work(bytes);
    if (this.stepBudget >= 0) return;
    throw new AppError(
      'VALIDATION_ERROR',
      `The step's input is over ${this.limits.stepBytes} bytes (TASK_STEP_MAX_BYTES); pass on less of what earlier steps gave.`,
    );
  }

  work(bytes: number): void {
    this.workBudget -= bytes;
    this.slice -= bytes;
    if (this.workBudget >= 0) return;
    throw new AppError(
      'VALIDATION_ERROR',
      `The step's templates read more than ${this.limits.stepBytes * WORK_PER_BYTE} bytes in all (TASK_STEP_MAX_BYTES x ${WORK_PER_BYTE}); use fewer expressions.`,
    );
  }

  /** True when others should have their turn before this goes on. */
  get isSliceOver(): boolean {
    if (this.slice > 0) return false;
    this.slice = SLICE;
    return true;
  }
}

/** Runs something that pauses after each slice, without a pause. */
export function inOneGo<T>(slices: Generator<void, T>): T {
  for (;;) {
    const step = slices.next();
    if (step.done === true) return step.value;
  }
}
