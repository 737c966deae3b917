import { SlidingWindow, WINDOW_MS } from './sliding-window';

describe('the sliding window', () => {
  test('allows exactly the limit within one minute', () => {
    const window = new SlidingWindow();
    const answers = Array.from({ length: 7 }, () => window.take('a', 5, 1000).allowed);
    expect(answers).toEqual([true, true, true, true, true, false, false]);
    expect(window.take('b', 5, 1000).remaining).toBe(4);
  });

  test('lets the minute before fade out', () => {
    const window = new SlidingWindow();
    for (let i = 0; i < 10; i += 1) window.take('a', 10, WINDOW_MS - 1);
    expect(window.take('a', 10, WINDOW_MS).allowed).toBe(false);
    expect(window.take('a', 10, WINDOW_MS * 1.5).allowed).toBe(true);
    expect(window.take('a', 10, WINDOW_MS * 3).remaining).toBe(9);
  });

  test('counts what other replicas took', () => {
    const window = new SlidingWindow();
    window.take('a', 10, 0);
    expect(window.untold()).toEqual([{ key: 'a', index: 0, count: 1 }]);
    window.learn('a', 0, 10);
    expect(window.take('a', 10, 10).allowed).toBe(false);
    expect(window.untold()).toEqual([]);
  });
});
