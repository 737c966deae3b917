import { AppError } from '@switchyard/kernel';
import { PlatformOutage, afterFailure } from './step-outcome';

const rule = { maxAttempts: 3, backoffSeconds: 2 };
const at = (tries: number, outages = 0, type: 'http' | 'agent' = 'agent') => ({ type, tries, outages, rule });
const judge = (step: ReturnType<typeof at>, thrown: AppError) =>
  afterFailure(step, { code: thrown.code, message: thrown.message }, thrown, () => 1);

describe('after a failed attempt', () => {
  it('tries again while the rule allows it, waiting twice as long each time', () => {
    const error = new AppError('RUNTIME_UNAVAILABLE', 'x');
    expect(judge(at(1), error)).toMatchObject({ kind: 'retry', delayMs: 2_000 });
    expect(judge(at(2), error)).toMatchObject({ kind: 'retry', delayMs: 4_000 });
    expect(judge(at(3), error)).toMatchObject({ kind: 'fail' });
  });

  it('waits as long as it was asked to', () => {
    expect(judge(at(1), new AppError('RATE_LIMITED', 'x', { retryAfterSeconds: 60 }))).toMatchObject({
      kind: 'retry',
      delayMs: 60_000,
    });
  });

  it('waits for the platform also in an http step, and does not for the address that it calls', () => {
    expect(judge(at(3, 0, 'http'), new PlatformOutage('TIMEOUT', 'x'))).toMatchObject({ kind: 'outage' });
    expect(judge(at(3, 0, 'http'), new AppError('TIMEOUT', 'x'))).toMatchObject({ kind: 'fail' });
  });

  it.each(['VALIDATION_ERROR', 'FORBIDDEN', 'NOT_FOUND', 'INSUFFICIENT_TOKENS', 'EVENT_PAYLOAD_INVALID'] as const)(
    'never repeats %s',
    (code) => {
      expect(judge(at(1), new AppError(code, 'x'))).toMatchObject({ kind: 'fail' });
    },
  );

  it('uses no attempt up while a part of the platform is away', () => {
    expect(judge(at(3), new AppError('SERVICE_UNAVAILABLE', 'x'))).toEqual({ kind: 'outage', delayMs: 500 });
    expect(judge(at(3, 25), new AppError('SERVICE_UNAVAILABLE', 'x'))).toMatchObject({ kind: 'fail' });
    expect(judge(at(3, 0, 'http'), new AppError('SERVICE_UNAVAILABLE', 'x'))).toMatchObject({ kind: 'fail' });
  });
});
