import { SpaceBacklogSizes } from './space-backlog-sizes';

describe('the backlog of a Space', () => {
  it('is what was measured, and what came and went since', () => {
    const spaceBacklogSizes = new SpaceBacklogSizes();
    spaceBacklogSizes.add('a', 100);
    spaceBacklogSizes.beginMeasuring(['a'])(new Map([['a', 80]]));
    spaceBacklogSizes.add('a', 50);
    spaceBacklogSizes.add('b', 10);
    expect([
      spaceBacklogSizes.of('a'),
      spaceBacklogSizes.of('b'),
      spaceBacklogSizes.of('c'),
      spaceBacklogSizes.largest,
    ]).toEqual([130, 10, 0, 130]);
    spaceBacklogSizes.add('a', -200);
    expect(spaceBacklogSizes.of('a')).toBe(0);
  });

  it('is over a limit once it is larger, measured or not', () => {
    const spaceBacklogSizes = new SpaceBacklogSizes();
    spaceBacklogSizes.beginMeasuring([])(new Map(Object.entries({ a: 80, b: 101, c: 100 })));
    spaceBacklogSizes.add('a', 21);
    spaceBacklogSizes.add('b', -1);
    spaceBacklogSizes.add('d', 200);
    expect(spaceBacklogSizes.over(100)).toEqual(['a', 'd']);
  });

  it('holds while a measurement is under way, and when it fails', () => {
    const spaceBacklogSizes = new SpaceBacklogSizes();
    spaceBacklogSizes.add('a', 100);
    const measured = spaceBacklogSizes.beginMeasuring(['a']);
    spaceBacklogSizes.add('a', 5);
    expect(spaceBacklogSizes.of('a')).toBe(105);
    measured(new Map());
    expect(spaceBacklogSizes.of('a')).toBe(5);
  });

  it('leaves what is not measured as it is, and forgets a Space of which nothing waits', () => {
    const spaceBacklogSizes = new SpaceBacklogSizes();
    spaceBacklogSizes.add('a', 100);
    spaceBacklogSizes.add('b', 50);
    spaceBacklogSizes.beginMeasuring(['a'])(new Map());
    expect([spaceBacklogSizes.of('a'), spaceBacklogSizes.of('b'), [...spaceBacklogSizes.spaces]]).toEqual([
      0,
      50,
      ['b'],
    ]);
  });
});
