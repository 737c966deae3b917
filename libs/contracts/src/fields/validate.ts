import { AppError, ErrorDetail } from '@switchyard/kernel';
import { allFaults } from './collect-all-errors';
import { Validator, compileFullValidator, compileValidator } from './compile';
import { isNextVersion } from '../define/contracts-version';
import { dropUnknownFields } from './drop-unknown';
import { schemaOf } from './field';
import { Class } from './field-schema';

const closedValidators = new WeakMap<Class, Validator>();
const openValidators = new WeakMap<Class, Validator>();
const fullValidators = new WeakMap<Class, Validator>();

/** The validator of a class, compiled at first use and cached. */
export function validatorOf(type: Class, options: { closed: boolean }): Validator {
  const stored = options.closed ? closedValidators : openValidators;
  let validator = stored.get(type);
  if (!validator) {
    validator = compileValidator(schemaOf(type, options));
    stored.set(type, validator);
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

/** Throws VALIDATION_ERROR with up to five errors; rejects unknown fields. */
export function checkRequest(type: Class, value: unknown): void {
  const details = validatorOf(type, { closed: true })(value);
  if (details) throw refusal(allFaults(details, value, () => fullValidatorOf(type)));
}

/** For a message between services: as `checkRequest`, without the unknown fields if the sender has the next version. */
export function checkReceived(type: Class, value: unknown, version: unknown): void {
  if (isNextVersion(version)) dropUnknownFields(type, value);
  checkRequest(type, value);
}

/** As `checkRequest`, but accepts unknown fields: another version of a service may send them. */
export function checkOpen(type: Class, value: unknown): void {
  const details = validatorOf(type, { closed: false })(value);
  if (details) throw refusal(details.slice(0, 1));
}
