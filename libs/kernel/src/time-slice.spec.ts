import { yieldToEventLoop } from './time-slice';

describe('work that yields to the event loop', () => {
  it('goes on one piece per turn of the event loop, so that many do not hold up what arrives meanwhile', async () => {
    let turn = 0;
    let next: NodeJS.Immediate;
    const count = (): void => {
      turn += 1;
      next = setImmediate(count);
    };
    next = setImmediate(count);
    const order: number[] = [];
    const work = async (id: number): Promise<number> => {
      await yieldToEventLoop();
      order.push(id);
      const first = turn;
      await yieldToEventLoop();
      order.push(id);
      return first;
    };
    const turns = await Promise.all([work(1), work(2), work(3), work(4)]);
    clearImmediate(next);
    expect(new Set(turns).size).toBe(4);
    expect(order).toEqual([1, 2, 3, 4, 1, 2, 3, 4]);
  });
});
