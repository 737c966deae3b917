import { KeyedQueue } from './keyed-queue';

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Work that ends when it is told to, and says when it begins. */
class Held {
  readonly begun: string[] = [];
  private readonly ends = new Map<string, (error?: Error) => void>();

  work(name: string): () => Promise<void> {
    return () => {
      this.begun.push(name);
      return new Promise((resolve, reject) => this.ends.set(name, (error) => (error ? reject(error) : resolve())));
    };
  }

  async end(name: string, error?: Error): Promise<void> {
    this.ends.get(name)?.(error);
    await settled();
  }
}

describe('a queue with keys', () => {
  it('runs what has the same key one after the other, also behind one that failed', async () => {
    const queue = new KeyedQueue(4, 8);
    const held = new Held();
    for (const name of ['a1', 'a2', 'a3']) await queue.add('a', held.work(name));
    expect([held.begun, queue.size]).toEqual([['a1'], 3]);
    await held.end('a1', new Error('no'));
    await held.end('a2');
    expect([held.begun, queue.size]).toEqual([['a1', 'a2', 'a3'], 1]);
    await held.end('a3');
    expect(queue.size).toBe(0);
  });

  it('gives no place to what waits for its key', async () => {
    const queue = new KeyedQueue(2, 8);
    const held = new Held();
    for (const name of ['a1', 'a2', 'a3', 'a4']) await queue.add('a', held.work(name));
    await queue.add('b', held.work('b1'));
    expect(held.begun).toEqual(['a1', 'b1']);
  });

  it('takes no more than its limit and its room, and goes on when there is some again', async () => {
    const queue = new KeyedQueue(1, 1);
    const held = new Held();
    const taken: string[] = [];
    await queue.add('a', held.work('a1'));
    await queue.add('a', held.work('a2'));
    void queue.add('a', held.work('a3')).then(() => taken.push('a3'));
    void queue.add('b', held.work('b1')).then(() => taken.push('b1'));
    await settled();
    expect([taken, queue.size]).toEqual([[], 2]);
    await held.end('a1');
    expect([taken, held.begun]).toEqual([['a3'], ['a1', 'a2']]);
    await held.end('a2');
    await held.end('a3');
    expect([taken, held.begun]).toEqual([
      ['a3', 'b1'],
      ['a1', 'a2', 'a3', 'b1'],
    ]);
    await held.end('b1');
    await queue.idle(Date.now() + 10_000);
    expect(queue.size).toBe(0);
  });
});
