import { Ticks, coalesced } from './coalesced-timers';

describe('a coalesced pause', () => {
  it.each([
    [1_000, 0, 1_000],
    [1_000, 20, 980],
    [1_000, 480, 520],
    [1_000, 520, 1_480],
    [1_300, 0, 1_000],
    [5_000, 140, 4_860],
    [5_000, 3_200, 1_800],
    [5_000, 4_960, 5_040],
    [10_000, 3_200, 6_800],
    [6_000, 3_200, 5_800],
    [500, 140, 360],
    [750, 0, 1_000],
  ])('of %d ms that begins at %d ms lasts %d ms, until a tick', (ms, now, expected) => {
    expect(coalesced(ms, now)).toBe(expected);
  });

  it('of a multiple of five seconds ends with the others, whenever they began', () => {
    const ends = [5_000, 10_000, 15_000].flatMap((ms) =>
      [20_010, 21_400, 24_900].map((now) => now + coalesced(ms, now)),
    );
    expect(ends.every((end) => end % 5_000 === 0)).toBe(true);
  });

  it('stays as it is where it is short', () => {
    expect(coalesced(400, 123)).toBe(400);
  });
});

describe('ticks', () => {
  let remaining = 0;
  let looks = 0;
  let ticks: Ticks;

  beforeEach(() => {
    jest.useFakeTimers();
    remaining = 0;
    looks = 0;
    ticks = new Ticks(1_000, () => {
      looks += 1;
      remaining -= 1;
      return remaining > 0;
    });
  });

  afterEach(() => {
    ticks.stop();
    jest.useRealTimers();
  });

  it('run until no item remains, and again after the next begin', () => {
    jest.advanceTimersByTime(10_000);
    expect(looks).toBe(0);
    remaining = 3;
    ticks.begin();
    ticks.begin();
    jest.advanceTimersByTime(10_000);
    expect(looks).toBe(3);
    ticks.begin();
    jest.advanceTimersByTime(10_000);
    expect(looks).toBe(4);
  });

  it('rest until the next beginning', () => {
    remaining = 100;
    ticks.begin();
    ticks.rest();
    jest.advanceTimersByTime(10_000);
    expect(looks).toBe(0);
    ticks.begin();
    jest.advanceTimersByTime(1_500);
    expect(looks).toBe(1);
  });

  it('do not come any more once stopped, also when begun again', () => {
    remaining = 100;
    ticks.begin();
    ticks.stop();
    ticks.begin();
    jest.advanceTimersByTime(10_000);
    expect(looks).toBe(0);
  });
});
