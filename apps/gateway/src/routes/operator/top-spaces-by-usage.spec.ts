import type { ReportedUse } from '@switchyard/contracts';
import { newId } from '@switchyard/kernel';
import { TopSpacesByUsage } from './top-spaces-by-usage';

const [one, two] = [newId(), newId()];

describe('The largest Spaces', () => {
  let now: number;
  let top: TopSpacesByUsage;
  const deliver = (instance: string, use: ReportedUse, ...amounts: [string, number][]): void => {
    top.onReport({ instance, amounts: amounts.map(([spaceId, amount]) => ({ use, spaceId, amount })) });
  };

  beforeEach(() => {
    now = 3_600_000_000;
    top = new TopSpacesByUsage(() => now);
  });

  it('are those of the last minutes, over all processes', () => {
    deliver('a', 'turns', [one, 5]);
    now += 10 * 60_000;
    deliver('a', 'turns', [one, 1], [two, 2]);
    deliver('b', 'turns', [two, 2]);
    expect(top.largest('turns', 5, 10)).toEqual([
      [two, 4],
      [one, 1],
    ]);
    expect(top.largest('turns', 15, 1)).toEqual([[one, 6]]);
    expect(top.largest('runs', 60, 10)).toEqual([]);
    now += 60 * 60_000;
    deliver('a', 'runs', [one, 1]);
    expect(top.largest('turns', 60, 10)).toEqual([]);
  });

  it('by connections are those of now, as each gateway has said last', () => {
    deliver('a', 'connections', [one, 5]);
    deliver('b', 'connections', [one, 1], [two, 2]);
    deliver('a', 'connections', [one, 3]);
    expect(top.largest('connections', 5, 10)).toEqual([
      [one, 4],
      [two, 2],
    ]);
    top.onReport({ instance: 'a', amounts: [] });
    now += 10_000;
    deliver('a', 'connections', [one, 3]);
    now += 10_000;
    expect(top.largest('connections', 5, 10)).toEqual([[one, 3]]);
  });
});
