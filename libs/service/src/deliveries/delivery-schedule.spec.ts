import { deliveryDelayMs, readRetryAfter } from './delivery-schedule';

const exact = (failed: number, retryAfterMs: number | null = null): number | null =>
  deliveryDelayMs({ failed, retryAfterMs, random: () => 0.5 });

describe('the waits between the attempts of a delivery', () => {
  it('grow from five seconds to a day, for nine attempts', () => {
    const waits = Array.from({ length: 9 }, (_, i) => exact(i + 1));
    expect(waits).toEqual([5_000, 60_000, 300_000, 1_800_000, 7_200_000, 21_600_000, 43_200_000, 86_400_000, null]);
  });

  it('differ a little from delivery to delivery', () => {
    expect(deliveryDelayMs({ failed: 1, random: () => 0 })).toBe(4_500);
    expect(deliveryDelayMs({ failed: 1, random: () => 1 })).toBe(5_500);
  });

  it('follow Retry-After, up to a day, and end after the last attempt all the same', () => {
    expect(exact(1, 120_000)).toBe(120_000);
    expect(exact(8, 0)).toBe(0);
    expect(exact(1, 100 * 86_400_000)).toBe(86_400_000);
    expect(exact(9, 1_000)).toBeNull();
  });
});

describe('the header Retry-After', () => {
  const now = Date.parse('2030-01-01T00:00:00Z');
  it.each<[string | undefined, number | null]>([
    ['3', 3_000],
    [' 120 ', 120_000],
    ['Tue, 01 Jan 2030 00:01:00 GMT', 60_000],
    ['Mon, 31 Dec 2029 00:00:00 GMT', 0],
    [undefined, null],
    ['', null],
    ['-1', null],
    ['1.5', null],
    ['soon', null],
    ['99999999999', null],
  ])('%j means %j ms', (value, expected) => {
    expect(readRetryAfter(value, now)).toBe(expected);
  });
});
