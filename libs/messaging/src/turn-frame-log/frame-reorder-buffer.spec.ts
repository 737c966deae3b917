import { FrameReorderBuffer } from './frame-reorder-buffer';

const frame = (seq: number, who = 'a'): string => `{"who":"${who}","seq":${seq}}`;
const batch = (epoch: number, first: number, count: number, who = 'a') => ({
  epoch,
  bytes: Buffer.from(Array.from({ length: count }, (_, at) => frame(first + at, who)).join('\n')),
});
const fence = (epoch: number) => ({ epoch, bytes: new Uint8Array() });

describe('the batches of a turn', () => {
  it('come in order, each frame once, from where the reader stands', () => {
    const order = new FrameReorderBuffer(1);
    expect(order.take(batch(1, 3, 2))).toEqual([]);
    expect(order.take(batch(1, 1, 2))).toEqual([[frame(2)], [frame(3), frame(4)]]);
    expect([order.last, order.early, order.any]).toEqual([4, 0, true]);
  });

  it('are those of one holder: what an earlier one wrote too late is left out', () => {
    const order = new FrameReorderBuffer(0);
    order.take(batch(1, 1, 2));
    order.take(fence(2));
    expect(order.take(batch(1, 3, 9, 'late'))).toEqual([]);
    expect(order.take(batch(2, 3, 1, 'b'))).toEqual([[frame(3, 'b')]]);
    expect(order.take(batch(1, 4, 1, 'late'))).toEqual([]);
    expect(order.last).toBe(3);
  });

  it('do not wait for what an earlier holder never said', () => {
    const order = new FrameReorderBuffer(0);
    order.take(batch(1, 1, 2));
    order.take(batch(1, 5, 2, 'early'));
    order.take(fence(2));
    expect([order.last, order.early]).toEqual([2, 0]);
  });

  it('may begin in the middle, for readers of the position alone', () => {
    const order = new FrameReorderBuffer(null);
    order.take(batch(1, 15, 3));
    expect([order.last, order.any]).toEqual([17, true]);
    expect(new FrameReorderBuffer(null).last).toBe(0);
  });
});
