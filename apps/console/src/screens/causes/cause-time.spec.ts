/// <reference types="jest" />
import type { Cause } from './cause-rows';
import { gapsOf, ownTimeOf, scaleOf } from './cause-time';

const node = (key: string, parentKey: string | null, from: number, to: number, kind = 'step'): Cause =>
  ({
    key,
    parentKey,
    id: key,
    kind,
    status: 'COMPLETED',
    startedAt: new Date(from).toISOString(),
    finishedAt: new Date(to).toISOString(),
  }) as unknown as Cause;

const window = { from: 0, to: 100_000 };
const tree = [
  node('run', null, 0, 100_000, 'execution'),
  node('a', 'run', 0, 1_000),
  node('b', 'run', 99_000, 100_000),
];

describe('gaps of a tree', () => {
  it('are long times without an event, and no time in which a call runs', () => {
    expect(gapsOf(tree, window, 0)).toEqual([{ from: 1_000, to: 99_000 }]);
    expect(gapsOf([...tree, node('call', 'run', 1_000, 99_000, 'model_call')], window, 0)).toEqual([]);
    expect(gapsOf(tree, { from: 0, to: 900 }, 0)).toEqual([]);
  });

  it('are narrow on the scale, and what is around them has the rest', () => {
    const { at, timeAt } = scaleOf(window, gapsOf(tree, window, 0));
    expect([0, 1_000, 99_000, 100_000].map((time) => Math.round(at(time) * 10) / 10)).toEqual([0, 47.5, 52.5, 100]);
    expect(at(50_000)).toBeCloseTo(50);
    expect(timeAt(1)).toBe(100_000);
    expect(timeAt(0.475)).toBeCloseTo(1_000);
  });

  it('are not there on a plain scale', () => {
    const { at } = scaleOf(window, []);
    expect([-5, 25_000, 200_000].map(at)).toEqual([0, 25, 100]);
  });
});

describe('own time', () => {
  it('is the time that no record below covers, however they overlap', () => {
    const [run] = tree;
    expect(run && ownTimeOf(run, tree, 0)).toBe(98_000);
    const twice = [...tree, node('c', 'run', 500, 2_000)];
    expect(run && ownTimeOf(run, twice, 0)).toBe(97_000);
    expect(ownTimeOf(node('a', 'run', 0, 1_000), tree, 0)).toBe(1_000);
  });
});
