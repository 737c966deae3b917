import { Backlog, pauseAfter } from './backlog';

describe('the backlog of a Space', () => {
  it('is what was measured, and what came and went since', () => {
    const backlog = new Backlog();
    backlog.add('a', 100);
    backlog.beginMeasuring()(new Map([['a', 80]]));
    backlog.add('a', 50);
    backlog.add('b', 10);
    expect([backlog.of('a'), backlog.of('b'), backlog.of('c'), backlog.largest]).toEqual([130, 10, 0, 130]);
    backlog.add('a', -200);
    expect(backlog.of('a')).toBe(0);
  });

  it('is over a limit once it is larger, measured or not', () => {
    const backlog = new Backlog();
    backlog.beginMeasuring()(new Map(Object.entries({ a: 80, b: 101, c: 100 })));
    backlog.add('a', 21);
    backlog.add('b', -1);
    backlog.add('d', 200);
    expect(backlog.over(100)).toEqual(['a', 'd']);
  });

  it('holds while a measurement is under way, and when it fails', () => {
    const backlog = new Backlog();
    backlog.add('a', 100);
    const measured = backlog.beginMeasuring();
    backlog.add('a', 5);
    expect(backlog.of('a')).toBe(105);
    measured(new Map());
    expect(backlog.of('a')).toBe(5);
  });
});

describe('measuring what waits', () => {
  it.each([
    [0, 2_000],
    [50, 2_000],
    [500, 5_000],
    [3_000, 10_000],
  ])('pauses the longer the longer it took, up to a bound: %d ms, then %d ms', (tookMs, pauseMs) => {
    expect(pauseAfter(tookMs)).toBe(pauseMs);
  });
});
