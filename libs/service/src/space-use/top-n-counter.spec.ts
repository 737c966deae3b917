import { TopNCounter } from './top-n-counter';

describe('Counts of the largest', () => {
  it('are sums, the largest first', () => {
    const counts = new TopNCounter(10);
    counts.add('a', 1);
    counts.add('b', 5);
    counts.add('a', 2);
    expect(counts.top(2)).toEqual([
      ['b', 5],
      ['a', 3],
    ]);
    expect(counts.top(1)).toEqual([['b', 5]]);
  });

  it('stay few, and exact for what is large, however many small ones there are', () => {
    const counts = new TopNCounter(10);
    for (let n = 0; n < 10_000; n += 1) {
      counts.add(`small-${n}`, 1);
      counts.add('large', 2);
    }
    expect(counts.size).toBeLessThanOrEqual(20);
    expect(counts.top(1)).toEqual([['large', 20_000]]);
  });
});
