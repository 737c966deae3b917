import { AppError } from '@switchyard/kernel';
import { afterError, afterTurn } from './attempt-outcome';

const rule = (attempt: number) => ({ attempt, maxAttempts: 3, baseMs: 1_000 });
const judge = (attempt: number, error: unknown) => afterError(rule(attempt), error, 0, () => 1);

describe('after an error', () => {
  it('tries again with growing waits, and ends with the last attempt', () => {
    const error = new AppError('RUNTIME_UNAVAILABLE', 'x');
    expect(judge(1, error)).toMatchObject({ kind: 'retry', delayMs: 1_000 });
    expect(judge(2, error)).toMatchObject({ kind: 'retry', delayMs: 2_000 });
    expect(judge(3, error)).toMatchObject({ kind: 'failed', error: { code: 'RUNTIME_UNAVAILABLE' } });
  });

  it.each([
    'VALIDATION_ERROR',
    'REQUEST_TOO_LARGE',
    'INSUFFICIENT_TOKENS',
    'BELOW_MINIMUM_BALANCE',
    'FORBIDDEN',
    'NOT_FOUND',
    'TURN_ALREADY_ACTIVE',
    'DAILY_LIMIT_EXCEEDED',
    'MONTHLY_LIMIT_EXCEEDED',
  ] as const)('never repeats %s', (code) =>
    expect(judge(1, new AppError(code, 'x'))).toMatchObject({ kind: 'failed', error: { code } }),
  );

  it('waits as long as the provider asks, and uses no attempt', () => {
    expect(judge(3, new AppError('RATE_LIMITED', 'x', { retryAfterSeconds: 7 }))).toMatchObject({
      kind: 'throttled',
      delayMs: 7_000,
    });
  });

  it('asks under the same name again while the platform is away', () => {
    expect(judge(3, new AppError('SERVICE_UNAVAILABLE', 'x'))).toEqual({ kind: 'outage', delayMs: 500 });
  });

  it('tries again after an unexpected error', () =>
    expect(judge(1, new Error('boom'))).toMatchObject({ kind: 'retry' }));
});

describe('after a look at the turn', () => {
  it.each([
    ['COMPLETED', 'succeeded'],
    ['RUNNING', 'running'],
    ['WAITING_INPUT', 'waiting'],
    ['CANCELLED', 'cancelled'],
  ] as const)('%s: %s', (status, kind) => {
    expect(afterTurn(rule(1), { status, error: null })).toEqual({ kind });
  });

  it('judges a failure by its code', () => {
    const failed = (code: string) => afterTurn(rule(1), { status: 'FAILED', error: { code, message: 'x' } });
    expect(failed('RUNTIME_UNAVAILABLE').kind).toBe('retry');
    expect(failed('INSUFFICIENT_TOKENS').kind).toBe('failed');
    expect(failed('SOMETHING_ELSE').kind).toBe('retry');
  });
});
