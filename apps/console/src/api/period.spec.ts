import { beginOf } from './period';
import { STATUSES, outcomeOf, statusesOf } from './status';

const NOW = new Date(2026, 4, 17, 15, 30).getTime();

describe('a period up to now', () => {
  it('begins an hour ago, a day ago, or at midnight here', () => {
    expect(Date.parse(beginOf('hour', NOW))).toBe(new Date(2026, 4, 17, 14, 30).getTime());
    expect(Date.parse(beginOf('day', NOW))).toBe(NOW - 86_400_000);
    expect(Date.parse(beginOf('today', NOW))).toBe(new Date(2026, 4, 17).getTime());
  });
});

describe('the states of a filter', () => {
  it('are those of an outcome, or the one that is named', () => {
    expect(statusesOf('failed')).toEqual(['FAILED', 'TIMED_OUT']);
    expect(statusesOf('waiting')).toEqual(['WAITING_INPUT']);
    expect(statusesOf('SKIPPED')).toEqual(['SKIPPED']);
  });

  it('are each in one outcome', () => {
    expect(STATUSES.flatMap((status) => statusesOf(outcomeOf(status))).every((one) => STATUSES.includes(one))).toBe(
      true,
    );
    expect(STATUSES.filter((status) => !statusesOf(outcomeOf(status)).includes(status))).toEqual([]);
  });
});
