import { KeyedQueue } from './keyed-queue';

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Work that the test completes, and that reports its start. `a1` is the first of key and Space `a`. */
class Held {
  readonly begun: string[] = [];
  private readonly ends = new Map<string, (error?: Error) => void>();

  constructor(private readonly queue: KeyedQueue) {}

  offer(name: string, key = name.slice(0, 1), space = name.slice(0, 1)): boolean {
    return this.queue.offer({ space, key, seq: Number(name.slice(1)) }, () => {
      this.begun.push(name);
      return new Promise((resolve, reject) => this.ends.set(name, (error) => (error ? reject(error) : resolve())));
    });
  }

  async end(name: string, error?: Error): Promise<void> {
    this.ends.get(name)?.(error);
    await settled();
  }
}

const numbered = (letter: string, count: number): string[] =>
  Array.from({ length: count }, (_, at) => `${letter}${at + 1}`);

describe('a queue with keys', () => {
  it('runs what has the same key one after the other, also behind one that failed', async () => {
    const queue = new KeyedQueue(4, 8);
    const held = new Held(queue);
    for (const name of ['a1', 'a2', 'a3']) held.offer(name);
    expect([held.begun, queue.size]).toEqual([['a1'], 3]);
    await held.end('a1', new Error('no'));
    await held.end('a2');
    expect([held.begun, queue.size]).toEqual([['a1', 'a2', 'a3'], 1]);
    await held.end('a3');
    expect(queue.size).toBe(0);
  });

  it('gives no place to what waits for its key', () => {
    const held = new Held(new KeyedQueue(2, 8));
    for (const name of ['a1', 'a2', 'a3', 'a4', 'b1']) held.offer(name);
    expect(held.begun).toEqual(['a1', 'b1']);
  });

  it('keeps the order of a key, in whatever order it is offered', async () => {
    const held = new Held(new KeyedQueue(1, 8));
    for (const name of ['a1', 'a3', 'a2']) held.offer(name);
    for (const name of ['a1', 'a2', 'a3']) await held.end(name);
    expect(held.begun).toEqual(['a1', 'a2', 'a3']);
  });

  it('has no more of one Space waiting than half of its room, and says when there is some again', async () => {
    let told = 0;
    const queue = new KeyedQueue(4, 8, () => (told += 1));
    const held = new Held(queue);
    expect(numbered('a', 7).map((name) => held.offer(name))).toEqual([true, true, true, true, true, false, false]);
    await held.end('a1');
    expect([told, queue.hasRoom('a'), queue.hasRoom('a', 1)]).toEqual([1, true, false]);
    expect([held.offer('a6'), held.offer('a7')]).toEqual([true, false]);
  });

  it('always takes the first of a Space, however many others have theirs waiting', () => {
    const queue = new KeyedQueue(16, 16);
    const held = new Held(queue);
    const hostile = ['a', 'b', 'c', 'd', 'e'];
    for (const name of hostile.flatMap((letter) => numbered(letter, 20))) held.offer(name);
    expect(queue.size).toBeLessThanOrEqual(16 + 2 * hostile.length);
    expect([held.offer('v1'), held.begun.at(-1)]).toEqual([true, 'v1']);
    expect([held.offer('v2'), held.begun.at(-1)]).toEqual([true, 'v1']);
  });

  it('lets Spaces take turns where each has more than one key', async () => {
    const held = new Held(new KeyedQueue(1, 16));
    for (const name of ['a1', 'a2', 'a3']) held.offer(name, name);
    for (const name of ['b4', 'b5']) held.offer(name, name);
    for (const name of ['a1', 'a2', 'b4', 'a3']) await held.end(name);
    expect(held.begun).toEqual(['a1', 'a2', 'b4', 'a3', 'b5']);
  });

  it('is idle when all has ended', async () => {
    const queue = new KeyedQueue(1, 4);
    const held = new Held(queue);
    held.offer('a1');
    const idle = queue.idle(Date.now() + 10_000);
    await held.end('a1');
    await idle;
    expect(queue.size).toBe(0);
  });
});
