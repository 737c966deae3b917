import { type StatsRow, byEvent, byStatus, overTime, statsWindow } from './emission-stats';

const row = (at: string, event: string, status: StatsRow['status'], count: number): StatsRow => ({
  at,
  appIdentifier: 'shop',
  event,
  status,
  count,
});
const rows = [row('10:00', 'a', 'DISPATCHED', 3), row('10:00', 'b', 'DISPATCHED', 9), row('11:00', 'a', 'FAILED', 1)];

describe('statistics', () => {
  it('count by status, by event with the busiest first, and over time', () => {
    expect(byStatus(rows)).toEqual({ total: 13, PENDING: 0, DISPATCHED: 12, SKIPPED: 0, FAILED: 1 });
    expect(byEvent(rows).map(({ event, total, FAILED }) => [event, total, FAILED])).toEqual([
      ['b', 9, 0],
      ['a', 4, 1],
    ]);
    expect(overTime(rows).map(({ at, total }) => [at, total])).toEqual([
      ['10:00', 12],
      ['11:00', 1],
    ]);
  });

  it('show the last day by hours unless asked otherwise', () => {
    const now = new Date('2026-03-02T12:00:00.000Z');
    expect(statsWindow({}, now)).toMatchObject({
      from: '2026-03-01T12:00:00.000Z',
      to: '2026-03-02T12:00:00.000Z',
      interval: 'hour',
    });
    expect(statsWindow({ interval: 'day' }, now).from).toBe('2026-01-31T12:00:00.000Z');
    expect(() => statsWindow({ from: '2026-03-03T00:00:00Z' }, now)).toThrow('before');
    expect(() => statsWindow({ from: '2020-01-01T00:00:00Z' }, now)).toThrow('intervals');
  });
});
