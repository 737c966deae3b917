import { KeyedQueue } from './keyed-queue';

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Work that the test completes, and that reports its start. `a1` is the first of key and Space `a`. */
class ControlledWork {
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
    const work = new ControlledWork(queue);
    for (const name of ['a1', 'a2', 'a3']) work.offer(name);
    expect([work.begun, queue.size]).toEqual([['a1'], 3]);
    await work.end('a1', new Error('no'));
    await work.end('a2');
    expect([work.begun, queue.size]).toEqual([['a1', 'a2', 'a3'], 1]);
    await work.end('a3');
    expect(queue.size).toBe(0);
  });

  it('gives no place to what waits for its key', () => {
    const work = new ControlledWork(new KeyedQueue(2, 8));
    for (const name of ['a1', 'a2', 'a3', 'a4', 'b1']) work.offer(name);
    expect(work.begun).toEqual(['a1', 'b1']);
  });

  it('keeps the order of a key for any order of arrival', async () => {
    const work = new ControlledWork(new KeyedQueue(1, 8));
    for (const name of ['a1', 'a3', 'a2']) work.offer(name);
    for (const name of ['a1', 'a2', 'a3']) await work.end(name);
    expect(work.begun).toEqual(['a1', 'a2', 'a3']);
  });

  it('has no more of one Space waiting than half of its room, and says when there is some again', async () => {
    let calls = 0;
    const queue = new KeyedQueue(4, 8, () => (calls += 1));
    const work = new ControlledWork(queue);
    expect(numbered('a', 7).map((name) => work.offer(name))).toEqual([true, true, true, true, true, false, false]);
    await work.end('a1');
    expect([calls, queue.hasCapacity('a'), queue.hasCapacity('a', 1)]).toEqual([1, true, false]);
    expect([work.offer('a6'), work.offer('a7')]).toEqual([true, false]);
  });

  it('always takes the first of a Space, however many others have theirs waiting', () => {
    const queue = new KeyedQueue(16, 16);
    const work = new ControlledWork(queue);
    const hostile = ['a', 'b', 'c', 'd', 'e'];
    for (const name of hostile.flatMap((letter) => numbered(letter, 20))) work.offer(name);
    expect(queue.size).toBeLessThanOrEqual(16 + 2 * hostile.length);
    expect([work.offer('v1'), work.begun.at(-1)]).toEqual([true, 'v1']);
    expect([work.offer('v2'), work.begun.at(-1)]).toEqual([true, 'v1']);
  });

  it('lets Spaces take turns where each has more than one key', async () => {
    const work = new ControlledWork(new KeyedQueue(1, 16));
    for (const name of ['a1', 'a2', 'a3']) work.offer(name, name);
    for (const name of ['b4', 'b5']) work.offer(name, name);
    for (const name of ['a1', 'a2', 'b4', 'a3']) await work.end(name);
    expect(work.begun).toEqual(['a1', 'a2', 'b4', 'a3', 'b5']);
  });

  it('is idle when all has ended', async () => {
    const queue = new KeyedQueue(1, 4);
    const work = new ControlledWork(queue);
    work.offer('a1');
    const idle = queue.idle(Date.now() + 10_000);
    await work.end('a1');
    await idle;
    expect(queue.size).toBe(0);
  });
});
