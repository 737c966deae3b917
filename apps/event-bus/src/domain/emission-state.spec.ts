import { EMISSION_STATUSES } from '@switchyard/contracts';
import { MAX_DISPATCH_ATTEMPTS, REDISPATCHED, STOPPED, WAITING, afterFailure, afterReplay } from './emission-state';

describe('the status of an envelope', () => {
  it('is what the queries of the dispatch, of the log and of a replay ask for', () => {
    expect({ WAITING, STOPPED, REDISPATCHED }).toEqual({
      WAITING: ['PENDING'],
      STOPPED: ['SKIPPED', 'FAILED'],
      REDISPATCHED: ['FAILED'],
    });
  });

  it('is changed by a replay only after a failure', () => {
    const after = EMISSION_STATUSES.map((status) => `${status} -> ${afterReplay(status)}`);
    expect(after).toEqual([
      'PENDING -> PENDING',
      'DISPATCHED -> DISPATCHED',
      'SKIPPED -> SKIPPED',
      'FAILED -> DISPATCHED',
    ]);
  });

  it('becomes FAILED after the last attempt, with growing pauses before it', () => {
    const pauses = Array.from({ length: MAX_DISPATCH_ATTEMPTS - 1 }, (_, index) => afterFailure(index + 1));
    expect(pauses.every((next) => next.status === 'PENDING')).toBe(true);
    expect(pauses.map((next) => ('retryInMs' in next ? next.retryInMs : 0))).toEqual([
      500, 1000, 2000, 4000, 8000, 16000, 30000,
    ]);
    expect(afterFailure(MAX_DISPATCH_ATTEMPTS)).toEqual({ status: 'FAILED' });
  });
});
