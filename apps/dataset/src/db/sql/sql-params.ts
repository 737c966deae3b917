import { AppError } from '@switchyard/kernel';

/** The protocol of Postgres counts them in two bytes. */
const MAX_PARAMS = 65_535;

/** Collects bound values while a statement is written; a value only ever appears as `$n`. */
export class Params {
  readonly values: unknown[] = [];

  add(value: unknown): string {
    if (this.values.length === MAX_PARAMS)
      throw new AppError('VALIDATION_ERROR', `A request must not bind more than ${MAX_PARAMS} values.`);
    this.values.push(value);
    return `$${this.values.length}`;
  }
}
