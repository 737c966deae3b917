import { splitIntoBatches } from './split-into-batches';

const cut = (sizes: number[]): number[][] =>
  splitIntoBatches(sizes, { items: 3, bytes: 10 }, (size) => ({ items: 1, bytes: size }));

describe('batches', () => {
  it('keep the order and both limits', () => {
    expect(cut([1, 1, 1, 1])).toEqual([[1, 1, 1], [1]]);
    expect(cut([6, 5, 5])).toEqual([[6], [5, 5]]);
  });

  it('count what an item stands for', () => {
    expect(splitIntoBatches([2, 1, 1, 3], { items: 3, bytes: 10 }, (items) => ({ items, bytes: 1 }))).toEqual([
      [2, 1],
      [1],
      [3],
    ]);
  });

  it('let an item through that is too large by itself', () => {
    expect(cut([1, 99, 1])).toEqual([[1], [99], [1]]);
    expect(cut([])).toEqual([]);
  });
});
