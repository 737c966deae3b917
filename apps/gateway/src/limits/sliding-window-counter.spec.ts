import { SlidingWindowCounter, WINDOW_MS } from './sliding-window-counter';

describe('the sliding window', () => {
  test('allows exactly the limit within one minute', () => {
    const window = new SlidingWindowCounter();
    const answers = Array.from({ length: 7 }, () => window.take('a', 5, 1000).allowed);
    expect(answers).toEqual([true, true, true, true, true, false, false]);
    expect(window.take('b', 5, 1000).remaining).toBe(4);
  });

  test('lets the minute before fade out', () => {
    const window = new SlidingWindowCounter();
    for (let i = 0; i < 10; i += 1) window.take('a', 10, WINDOW_MS - 1);
    expect(window.take('a', 10, WINDOW_MS).allowed).toBe(false);
    expect(window.take('a', 10, WINDOW_MS * 1.5).allowed).toBe(true);
    expect(window.take('a', 10, WINDOW_MS * 3).remaining).toBe(9);
  });

  test('counts what other replicas took', () => {
    const window = new SlidingWindowCounter();
    window.take('a', 10, 0);
    expect(window.untold()).toEqual([{ key: 'a', index: 0, count: 1 }]);
    window.learn('a', 0, 10);
    expect(window.take('a', 10, 10).allowed).toBe(false);
    expect(window.untold()).toEqual([]);
  });

  test.each([1, 2, 5])('of %i says when it lets one in again, and does so each minute', (limit) => {
    const window = new SlidingWindowCounter();
    const start = WINDOW_MS * 7 + 100;
    for (let taken = 0; taken < limit; taken += 1) expect(window.take('a', limit, start).allowed).toBe(true);
    let now = start;
    let allowed = 0;
    for (let refusals = 0; refusals < 50; refusals += 1) {
      const taken = window.take('a', limit, now);
      expect(taken.allowed).toBe(false);
      now += taken.resetSeconds * 1000;
      for (let next = window.take('a', limit, now); next.allowed; next = window.take('a', limit, now)) {
        allowed += 1;
        if (next.remaining === 0) break;
      }
    }
    const minutes = (now - start) / WINDOW_MS;
    expect(allowed / minutes).toBeGreaterThan(limit * 0.7);
    expect(allowed / minutes).toBeLessThanOrEqual(limit * 1.1);
  });

  test('of 0 allows nothing, and says a wait of a minute at most, also after requests of the minute before', () => {
    const window = new SlidingWindowCounter();
    window.take('a', 5, WINDOW_MS * 3 + 100);
    for (const now of [WINDOW_MS * 3 + 200, WINDOW_MS * 4, WINDOW_MS * 4.5, WINDOW_MS * 5 - 1, WINDOW_MS * 7])
      for (const key of ['a', 'fresh']) {
        const { resetSeconds, ...refused } = window.take(key, 0, now);
        expect(refused).toEqual({ allowed: false, limit: 0, remaining: 0 });
        expect(resetSeconds).toBe(Math.max(1, Math.ceil((WINDOW_MS - (now % WINDOW_MS)) / 1000)));
      }
  });

  test('promises nothing earlier than it keeps it', () => {
    const window = new SlidingWindowCounter();
    let now = WINDOW_MS * 3;
    for (let n = 0; n < 2000; n += 1) {
      now += 997;
      const { allowed, resetSeconds } = window.take('a', 7, now);
      if (allowed) continue;
      now += resetSeconds * 1000;
      expect(window.take('a', 7, now).allowed).toBe(true);
    }
  });
});
