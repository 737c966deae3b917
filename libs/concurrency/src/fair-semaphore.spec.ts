import { AppError } from '@switchyard/kernel';
import { FairSemaphore, type FairSemaphoreOptions, tooManyWaitFor } from './fair-semaphore';

const DEFAULTS: FairSemaphoreOptions = {
  places: 4,
  share: 2,
  waitMs: 10_000,
  waiting: { all: 100, each: 100 },
  refusal: tooManyWaitFor('a place'),
};

const semaphore = (options: Partial<FairSemaphoreOptions> = {}): FairSemaphore =>
  new FairSemaphore({ ...DEFAULTS, ...options });

/** A caller that still waits when a test ends would be refused seconds later, during another test. */
const leave = (): void => undefined;

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('a fair semaphore', () => {
  it('gives one owner every slot while no other waits', () => {
    const places = semaphore();
    for (let i = 0; i < 4; i += 1) expect(places.acquire('a')).toBeUndefined();
    expect(places.used).toBe(4);
  });

  it('gives the next free slots to an owner under its share, however long the other queue is', async () => {
    const places = semaphore();
    const order: string[] = [];
    for (let i = 0; i < 4; i += 1) void places.acquire('a');
    for (let i = 0; i < 10; i += 1) places.acquire('a')?.then(() => order.push('a'), leave);
    for (let i = 0; i < 2; i += 1) places.acquire('b')?.then(() => order.push('b'), leave);
    for (let i = 0; i < 2; i += 1) places.release('a');
    await settled();
    expect(order).toEqual(['b', 'b']);
    expect(places.heldBy('a')).toBe(2);
  });

  it('serves waiting owners in turn', async () => {
    const places = semaphore({ places: 1, share: 1 });
    const order: string[] = [];
    void places.acquire('x');
    for (const owner of ['a', 'a', 'a', 'b', 'c', 'b']) {
      void places.acquire(owner)?.then(async () => {
        order.push(owner);
        await settled();
        places.release(owner);
      });
    }
    places.release('x');
    while (places.waiting > 0) await settled();
    await settled();
    expect(order).toEqual(['a', 'b', 'c', 'a', 'b', 'a']);
  });

  it('keeps its reserve from an owner over its share, and gives it to another at once', () => {
    const places = semaphore({ places: 4, share: 2, reserve: 1 });
    for (let i = 0; i < 3; i += 1) expect(places.acquire('a')).toBeUndefined();
    places.acquire('a')?.catch(leave);
    expect(places.waiting).toBe(1);
    void places.acquire('b');
    expect(places.heldBy('b')).toBe(1);
    expect(places.waiting).toBe(1);
  });

  it('admits the platform, however many slots it has', () => {
    const places = semaphore({ places: 3, share: 1, reserve: 1 });
    for (let i = 0; i < 3; i += 1) void places.acquire(null);
    expect(places.heldBy(null)).toBe(3);
  });

  it('refuses with 503 after the wait, counts it, and removes the caller', async () => {
    const places = semaphore({ places: 1, share: 1, waitMs: 5 });
    void places.acquire('a');
    const error = await places.acquire('b')?.catch((thrown: unknown) => thrown);
    expect((error as AppError).code).toBe('SERVICE_UNAVAILABLE');
    expect(places.refused).toBe(1);
    places.release('a');
    expect(places.used).toBe(0);
  });

  it('refuses at once an owner of whom too many wait, and all owners when too many wait in all', async () => {
    const places = semaphore({ places: 1, share: 1, waiting: { all: 3, each: 2 } });
    void places.acquire('x');
    void places.acquire('a');
    void places.acquire('a');
    await expect(places.acquire('a')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    void places.acquire('b');
    await expect(places.acquire('c')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect([places.waiting, places.refused]).toEqual([3, 2]);
    for (const owner of ['x', 'a', 'b', 'a']) {
      places.release(owner);
      await settled();
    }
    expect([places.used, places.waiting]).toEqual([0, 0]);
  });

  it('releases its slot when the work fails', async () => {
    const places = semaphore({ places: 1, share: 1 });
    await expect(places.run('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(places.used).toBe(0);
  });

  it('admits all callers that cannot be refused, however many wait and for however long', async () => {
    const places = semaphore({ places: 1, share: 1, waitMs: 0, waiting: { all: 1, each: 1 } });
    const signal = new AbortController().signal;
    void places.acquire('x');
    let entered = 0;
    const turns = Array.from({ length: 5 }, async () => {
      expect(await places.acquireInTime('a', signal)).toBe('entered');
      entered += 1;
      places.release('a');
    });
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect([entered, places.waiting]).toEqual([0, 5]);
    places.release('x');
    await Promise.all(turns);
    expect([entered, places.used, places.waiting]).toEqual([5, 0, 0]);
  });

  it('reserves no slot for a caller that has stopped waiting', async () => {
    const places = semaphore({ places: 1, share: 1 });
    const stop = new AbortController();
    void places.acquire('x');
    const given = places.acquireInTime('a', stop.signal);
    const next = places.acquireInTime('b', new AbortController().signal);
    stop.abort();
    expect(await given).toBe('stopped');
    expect(await places.acquireInTime('a', stop.signal)).toBe('stopped');
    places.release('x');
    expect(await next).toBe('entered');
    expect([places.used, places.waiting, places.heldBy('a')]).toEqual([1, 0, 0]);
  });
});
