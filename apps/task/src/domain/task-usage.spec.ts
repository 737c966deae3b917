import { MAX_TURNS, sumOfRuns, turnsToSum, usagePeriod } from './task-usage';

const NOW = new Date('2026-11-28T12:00:00.000Z');

describe('the usage of a task', () => {
  it('is of the last 30 days, or of the given period', () => {
    expect(usagePeriod({}, NOW)).toEqual({ from: '2026-10-29T12:00:00.000Z', to: NOW.toISOString() });
    expect(usagePeriod({ to: '2026-02-01T00:00:00Z' }, NOW).from).toBe('2026-01-02T00:00:00.000Z');
    expect(() => usagePeriod({ from: '2026-12-01T00:00:00Z' }, NOW)).toThrow('from');
  });

  it('counts time-outs as failures, and says when a count is a minimum', () => {
    const count = { runs: 2, isMore: false, last: '2026-11-27T00:00:00Z' };
    const counts = [
      { ...count, status: 'SUCCEEDED' as const, isMore: true },
      { ...count, status: 'FAILED' as const },
      { ...count, status: 'TIMED_OUT' as const, last: '2026-11-28T00:00:00Z' },
    ];
    expect(sumOfRuns(counts)).toEqual({ runs: 6, failed: 4, atLeast: true, lastRunAt: '2026-11-28T00:00:00.000Z' });
    expect(sumOfRuns([])).toEqual({ runs: 0, failed: 0, atLeast: false, lastRunAt: null });
  });

  it('sums the turns of whole runs alone', () => {
    const run = (id: string, attempt: number) => ({ id, agentSteps: [{ step: 'a', attempt }] });
    expect(turnsToSum([run('1', MAX_TURNS - 1), run('2', 2), run('3', 1)])).toMatchObject({ costOf: 1 });
    const all = turnsToSum([run('1', 2), { id: '2', agentSteps: null }]);
    expect([all.turnIds.length, all.costOf]).toEqual([2, 2]);
  });
});
