import { EMISSION_STATUSES } from '@switchyard/contracts';
import { MAX_DISPATCH_ATTEMPTS, afterFailure, afterReplay, canBecome } from './emission-state';

describe('the status of an envelope', () => {
  it('moves along these ways and no others', () => {
    const moves = EMISSION_STATUSES.flatMap((from) =>
      EMISSION_STATUSES.filter((to) => canBecome(from, to)).map((to) => `${from} -> ${to}`),
    );
    expect(moves).toEqual(['PENDING -> DISPATCHED', 'PENDING -> SKIPPED', 'PENDING -> FAILED', 'FAILED -> DISPATCHED']);
  });

  it('is changed by a replay only after a failure', () => {
    expect(EMISSION_STATUSES.map(afterReplay)).toEqual(['PENDING', 'DISPATCHED', 'SKIPPED', 'DISPATCHED']);
    for (const status of EMISSION_STATUSES) {
      const next = afterReplay(status);
      expect(next === status || canBecome(status, next)).toBe(true);
    }
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
