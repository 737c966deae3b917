import type { Holding } from './claims';
import { byPayer, divideRoom, shareOf } from './share';

const share = { places: shareOf(48), bytes: shareOf(300) };
const itself = (space: string): string => space;
const placesOf = (counts: Record<string, number>): Map<string, Holding> =>
  new Map(Object.entries(counts).map(([space, places]) => [space, { places, bytes: 0 }]));

describe('the share of a Space', () => {
  it('is a third of the process while others wait, and two thirds alone', () => {
    expect(share.places).toEqual({ capacity: 48, contended: 16, alone: 32 });
    expect(shareOf(1)).toEqual({ capacity: 1, contended: 1, alone: 1 });
  });

  it.each([
    ['alone', ['a'], 48, {}, { a: 32 }],
    ['alone, with some of its share in use', ['a'], 30, { a: 18 }, { a: 14 }],
    ['beside another', ['a', 'b'], 48, {}, { a: 16, b: 16 }],
    ['beside another, over its share', ['a', 'b'], 16, { a: 32 }, { b: 16 }],
    ['in a small room', ['a', 'b', 'c'], 2, {}, { a: 1, b: 1 }],
    ['at its share alone', ['a'], 16, { a: 32 }, {}],
  ])('divides the room: %s', (_, spaces, room, held, expected) => {
    const rooms = divideRoom(spaces, room, { held: placesOf(held), share, payerOf: itself });
    expect(Object.fromEntries([...rooms].map(([space, { places }]) => [space, places]))).toEqual(expected);
  });

  it('counts bytes as it counts places', () => {
    const held = new Map([
      ['a', { places: 1, bytes: 120 }],
      ['b', { places: 1, bytes: 30 }],
    ]);
    expect(divideRoom(['a', 'b'], 40, { held, share, payerOf: itself })).toEqual(
      new Map([['b', { places: 15, bytes: 70 }]]),
    );
    expect(divideRoom(['a'], 40, { held, share, payerOf: itself })).toEqual(
      new Map([['a', { places: 31, bytes: 80 }]]),
    );
  });

  it('is one for all Spaces of a payer, which divide it', () => {
    const payerOf = (space: string): string => space.slice(0, 1);
    const placesIn = (spaces: string[], room: number, held: Record<string, number>): Record<string, number> => {
      const rooms = divideRoom(spaces, room, { held: byPayer(placesOf(held), payerOf), share, payerOf });
      return Object.fromEntries([...rooms].map(([space, { places }]) => [space, places]));
    };
    expect(placesIn(['a1', 'a2', 'a3'], 48, {})).toEqual({ a1: 11, a2: 11, a3: 10 });
    expect(placesIn(['a1', 'a2', 'a3', 'b1'], 48, {})).toEqual({ a1: 6, a2: 5, a3: 5, b1: 16 });
    expect(placesIn(['a3', 'b1'], 16, { a1: 16, a2: 16 })).toEqual({ b1: 16 });
    expect(placesIn(['a1', 'a2', 'a3'], 2, { a1: 1 })).toEqual({ a1: 1, a2: 1 });
  });
});
