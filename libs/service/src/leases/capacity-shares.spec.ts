import type { Holding } from './leased-rows';
import { byPayer, allocateSlots, shareOf } from './capacity-shares';

const share = { slots: shareOf(48), bytes: shareOf(300) };
const itself = (space: string): string => space;
const slotsOf = (counts: Record<string, number>): Map<string, Holding> =>
  new Map(Object.entries(counts).map(([space, slots]) => [space, { slots, bytes: 0 }]));

describe('the share of a Space', () => {
  it('is a third of the process while others wait, and two thirds alone', () => {
    expect(share.slots).toEqual({ capacity: 48, contended: 16, alone: 32 });
    expect(shareOf(1)).toEqual({ capacity: 1, contended: 1, alone: 1 });
  });

  it.each([
    ['alone', ['a'], 48, {}, { a: 32 }],
    ['alone, with some of its share in use', ['a'], 30, { a: 18 }, { a: 14 }],
    ['beside another', ['a', 'b'], 48, {}, { a: 16, b: 16 }],
    ['beside another, over its share', ['a', 'b'], 16, { a: 32 }, { b: 16 }],
    ['in a small room', ['a', 'b', 'c'], 2, {}, { a: 1, b: 1 }],
    ['at its share alone', ['a'], 16, { a: 32 }, {}],
  ])('divides the room: %s', (_, spaces, capacity, used, expected) => {
    const allocated = allocateSlots(spaces, capacity, { used: slotsOf(used), share, payerOf: itself });
    expect(Object.fromEntries([...allocated].map(([space, { slots }]) => [space, slots]))).toEqual(expected);
  });

  it('counts bytes as it counts slots', () => {
    const used = new Map([
      ['a', { slots: 1, bytes: 120 }],
      ['b', { slots: 1, bytes: 30 }],
    ]);
    expect(allocateSlots(['a', 'b'], 40, { used, share, payerOf: itself })).toEqual(
      new Map([['b', { slots: 15, bytes: 70 }]]),
    );
    expect(allocateSlots(['a'], 40, { used, share, payerOf: itself })).toEqual(
      new Map([['a', { slots: 31, bytes: 80 }]]),
    );
  });

  it('is one for all Spaces of a payer, which divide it', () => {
    const payerOf = (space: string): string => space.slice(0, 1);
    const allocatedIn = (spaces: string[], capacity: number, used: Record<string, number>): Record<string, number> => {
      const allocated = allocateSlots(spaces, capacity, { used: byPayer(slotsOf(used), payerOf), share, payerOf });
      return Object.fromEntries([...allocated].map(([space, { slots }]) => [space, slots]));
    };
    expect(allocatedIn(['a1', 'a2', 'a3'], 48, {})).toEqual({ a1: 11, a2: 11, a3: 10 });
    expect(allocatedIn(['a1', 'a2', 'a3', 'b1'], 48, {})).toEqual({ a1: 6, a2: 5, a3: 5, b1: 16 });
    expect(allocatedIn(['a3', 'b1'], 16, { a1: 16, a2: 16 })).toEqual({ b1: 16 });
    expect(allocatedIn(['a1', 'a2', 'a3'], 2, { a1: 1 })).toEqual({ a1: 1, a2: 1 });
  });
});
