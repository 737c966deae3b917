import { latencyOf, latencyWindow, STEPS_A_DOUBLING } from './latency-histogram';

const NOW = new Date('2026-03-10T12:30:00.000Z');
const window = latencyWindow({}, NOW);

/** As the database sums them up. */
const sumOf = (hour: string, lengths: readonly number[], failed = 0) => {
  const durations: Record<string, number> = {};
  for (const ms of lengths) {
    const step = Math.floor(Math.log2(Math.max(1, ms)) * STEPS_A_DOUBLING);
    durations[step] = (durations[step] ?? 0) + 1;
  }
  return { hour, count: lengths.length, failed, longestMs: Math.max(...lengths), durations };
};

const isNear = (shown: number | null, exact: number): boolean => Math.abs((shown ?? 0) - exact) <= exact * 0.05;

describe('latencyWindow', () => {
  it('is the last day by the hour, or the last 30 by the day', () => {
    expect(window).toEqual({ from: '2026-03-09T12:30:00.000Z', to: '2026-03-10T12:30:00.000Z', interval: 'hour' });
    expect(latencyWindow({ interval: 'day' }, NOW).from).toBe('2026-02-08T12:30:00.000Z');
  });

  it('has a beginning before its end, and a bound', () => {
    expect(() => latencyWindow({ from: NOW.toISOString() }, NOW)).toThrow('must be before');
    expect(() => latencyWindow({ from: '2026-01-01T00:00:00.000Z' }, NOW)).toThrow('at most 1000');
    expect(latencyWindow({ from: '2026-01-01T00:00:00.000Z', interval: 'day' }, NOW).interval).toBe('day');
  });
});

describe('latencyOf', () => {
  it.each([1, 2, 7, 95, 1000, 59_999, 3_600_000])('shows a length of %i ms within 5%', (ms) => {
    const { total } = latencyOf(window, [sumOf('2026-03-10T10:00:00.000Z', [ms, ms])]);
    expect(isNear(total.p50Ms, ms) || ms < 3).toBe(true);
    expect(total.longestMs).toBe(ms);
    expect(total.p50Ms).toBeLessThanOrEqual(ms);
  });

  it('finds what half of the turns and 95 of 100 took, also over parts of hours', () => {
    const lengths = Array.from({ length: 100 }, (_, n) => (n + 1) * 1000);
    const parts = [
      sumOf('2026-03-10T10:00:00.000Z', lengths.slice(60), 3),
      sumOf('2026-03-10T10:00:00.000Z', lengths.slice(0, 60), 1),
    ];
    const { total, overTime } = latencyOf(window, parts);
    expect(total).toMatchObject({ count: 100, failed: 4, longestMs: 100_000 });
    expect(isNear(total.p50Ms, 50_000)).toBe(true);
    expect(isNear(total.p95Ms, 95_000)).toBe(true);
    expect(overTime).toEqual([{ at: '2026-03-10T10:00:00.000Z', ...total }]);
  });

  it('puts hours in their order, and into their days', () => {
    const hours = ['2026-03-10T00:00:00.000Z', '2026-03-09T23:00:00.000Z', '2026-03-10T05:00:00.000Z'];
    const sums = hours.map((hour) => sumOf(hour, [1000]));
    expect(latencyOf(window, sums).overTime.map(({ at }) => at)).toEqual([hours[1], hours[0], hours[2]]);
    const days = latencyOf({ ...window, interval: 'day' }, sums).overTime;
    expect(days.map(({ at, count }) => [at, count])).toEqual([
      ['2026-03-09T00:00:00.000Z', 1],
      ['2026-03-10T00:00:00.000Z', 2],
    ]);
  });

  it('says nothing of no turns', () => {
    expect(latencyOf(window, [])).toEqual({
      ...window,
      total: { count: 0, failed: 0, p50Ms: null, p95Ms: null, longestMs: null },
      overTime: [],
    });
  });
});
