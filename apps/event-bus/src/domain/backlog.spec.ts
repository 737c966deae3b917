import { Backlog } from './backlog';

describe('the backlog of a Space', () => {
  it('is what was measured, and what came and went since', () => {
    const backlog = new Backlog();
    backlog.add('a', 100);
    backlog.beginMeasuring(['a'])(new Map([['a', 80]]));
    backlog.add('a', 50);
    backlog.add('b', 10);
    expect([backlog.of('a'), backlog.of('b'), backlog.of('c'), backlog.largest]).toEqual([130, 10, 0, 130]);
    backlog.add('a', -200);
    expect(backlog.of('a')).toBe(0);
  });

  it('is over a limit once it is larger, measured or not', () => {
    const backlog = new Backlog();
    backlog.beginMeasuring([])(new Map(Object.entries({ a: 80, b: 101, c: 100 })));
    backlog.add('a', 21);
    backlog.add('b', -1);
    backlog.add('d', 200);
    expect(backlog.over(100)).toEqual(['a', 'd']);
  });

  it('holds while a measurement is under way, and when it fails', () => {
    const backlog = new Backlog();
    backlog.add('a', 100);
    const measured = backlog.beginMeasuring(['a']);
    backlog.add('a', 5);
    expect(backlog.of('a')).toBe(105);
    measured(new Map());
    expect(backlog.of('a')).toBe(5);
  });

  it('leaves what is not measured as it is, and forgets a Space of which nothing waits', () => {
    const backlog = new Backlog();
    backlog.add('a', 100);
    backlog.add('b', 50);
    backlog.beginMeasuring(['a'])(new Map());
    expect([backlog.of('a'), backlog.of('b'), [...backlog.spaces]]).toEqual([0, 50, ['b']]);
  });
});
