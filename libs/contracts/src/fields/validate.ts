import { AppError, ErrorDetail } from '@switchyard/kernel';
import { allFaults } from './all-faults';
import { Validator, compileFullValidator, compileValidator } from './compile';
import { schemaOf } from './field';
import { Class } from './spec';

const closedValidators = new WeakMap<Class, Validator>();
const openValidators = new WeakMap<Class, Validator>();
const fullValidators = new WeakMap<Class, Validator>();

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

function fullValidatorOf(type: Class): Validator {
  let validator = fullValidators.get(type);
  if (!validator) {
    validator = compileFullValidator(schemaOf(type, { closed: true }));
    fullValidators.set(type, validator);
  }
  return validator;
}

const sentence = ({ path, message }: ErrorDetail): string => `${path === '' ? 'The body' : path} ${message}.`;

export const refusal = (details: ErrorDetail[]): AppError => {
  const message = details.length > 0 ? details.map(sentence).join(' ') : 'The request is not valid.';
  return new AppError('VALIDATION_ERROR', message, { details });
};

/** Throws VALIDATION_ERROR unless the value is a request of this class, unknown fields included. Names up to five faults. */
export function checkRequest(type: Class, value: unknown): void {
  const details = validatorOf(type, { closed: true })(value);
  if (details) throw refusal(allFaults(details, value, () => fullValidatorOf(type)));
}

/** As `checkRequest`, for what another version of us may have written: unknown fields pass. */
export function checkOpen(type: Class, value: unknown): void {
  const details = validatorOf(type, { closed: false })(value);
  if (details) throw refusal(details.slice(0, 1));
}
