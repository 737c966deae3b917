import { CANCELLABLE, depthOf, firstStatus, hasEnded, RETRYABLE } from './execution-state';

describe('executions', () => {
  it.each([
    ['QUEUED', false, false],
    ['RUNNING', false, false],
    ['SUCCEEDED', true, false],
    ['FAILED', true, true],
    ['CANCELLED', true, true],
    ['TIMED_OUT', true, true],
    ['SKIPPED', true, false],
  ] as const)('%s: ended %s, may be retried %s', (status, ended, retry) => {
    expect([hasEnded(status), RETRYABLE.includes(status)]).toEqual([ended, retry]);
    expect(CANCELLABLE.includes(status)).toBe(!ended);
  });

  it('wait over the limit, or are skipped, as the task says', () => {
    expect(firstStatus({ policy: 'QUEUE', limit: 1 }, 5)).toBe('QUEUED');
    expect(firstStatus({ policy: 'SKIP', limit: 1 }, 0)).toBe('QUEUED');
    expect(firstStatus({ policy: 'SKIP', limit: 1 }, 1)).toBe('SKIPPED');
  });

  it('stand one deeper than the run that started them', () => {
    expect(depthOf({ correlationId: null, depth: 0 })).toBe(0);
    expect(depthOf({ correlationId: 'x', depth: 3 })).toBe(4);
  });
});
