import { AppError, ErrorDetail } from '@switchyard/kernel';
import { Validator, compileValidator } from './compile';
import { schemaOf } from './field';
import { Class } from './spec';

const closedValidators = new WeakMap<Class, Validator>();
const openValidators = new WeakMap<Class, Validator>();

/** The compiled check of a class: made at first use, kept for good. */
export function validatorOf(type: Class, options: { closed: boolean }): Validator {
  const kept = options.closed ? closedValidators : openValidators;
  let validator = kept.get(type);
  if (!validator) {
    validator = compileValidator(schemaOf(type, options));
    kept.set(type, validator);
  }
  return validator;
}

export const refusal = (details: ErrorDetail[]): AppError => {
  const [first] = details;
  const message = first
    ? `${first.path === '' ? 'The body' : first.path} ${first.message}.`
    : 'The request is not valid.';
  return new AppError('VALIDATION_ERROR', message, { details });
};

/** Throws VALIDATION_ERROR unless the value is a request of this class, unknown fields included. */
export function checkRequest(type: Class, value: unknown): void {
  const details = validatorOf(type, { closed: true })(value);
  if (details) throw refusal(details);
}

/** As `checkRequest`, for what another version of us may have written: unknown fields pass. */
export function checkOpen(type: Class, value: unknown): void {
  const details = validatorOf(type, { closed: false })(value);
  if (details) throw refusal(details);
}
