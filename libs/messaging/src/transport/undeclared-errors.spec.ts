import { type CallContract, Nothing, allContracts, defineCall, errorsOf, impliedErrors } from '@switchyard/contracts';
import { AppError, toAppError } from '@switchyard/kernel';
import { UndeclaredErrors } from './undeclared-errors';

const contract = defineCall({
  subject: 'task.look',
  request: Nothing,
  reply: Nothing,
  errors: ['NOT_FOUND'],
  access: 'internal',
  callers: ['job'],
});

function watch(isProduction: boolean) {
  const logged: object[] = [];
  const note = (): void => undefined;
  const error = (fields: object): void => {
    logged.push(fields);
  };
  return {
    told: logged,
    errors: new UndeclaredErrors({ isProduction, log: { info: note, warn: note, debug: note, error } }),
  };
}

describe('an error of a handler', () => {
  it('passes where its contract names it, or its kind implies it', () => {
    const { told: logged, errors } = watch(false);
    for (const code of ['NOT_FOUND', 'VALIDATION_ERROR', 'FORBIDDEN', 'TIMEOUT'] as const) {
      const error = new AppError(code, 'No.');
      expect(errors.checked(contract, error)).toBe(error);
    }
    expect(logged).toEqual([]);
  });

  it('is a failure of ours where the contract does not name it', () => {
    const { told: logged, errors } = watch(false);
    const failure = errors.checked(contract, new AppError('CONFLICT', 'No.'));
    expect(toAppError(failure).code).toBe('SERVER_ERROR');
    expect(failure.message).toBe('task.look answered CONFLICT, which its contract does not declare');
    expect(logged).toHaveLength(1);
  });

  it('reaches the caller in production, and the log once', () => {
    const { told: logged, errors } = watch(true);
    const error = new AppError('CONFLICT', 'No.');
    expect(errors.checked(contract, error)).toBe(error);
    errors.checked(contract, error);
    expect(logged).toMatchObject([{ contract: 'task.look', code: 'CONFLICT' }]);
  });
});

describe('the contracts', () => {
  const operations = allContracts().filter((one): one is CallContract => one.kind === 'call' || one.kind === 'stream');

  it.each(operations.map((one) => [one.subject, one] as const))('%s names no error that its kind implies', (_, one) => {
    const implied = new Set(impliedErrors(one));
    expect(one.errors.filter((code) => implied.has(code))).toEqual([]);
  });

  it('say that what counts once may be asked for twice', () => {
    for (const one of operations.filter(({ idempotent }) => idempotent))
      expect([...errorsOf(one)]).toEqual(expect.arrayContaining(['IDEMPOTENCY_CONFLICT', 'REQUEST_IN_PROGRESS']));
  });
});
