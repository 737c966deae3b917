import { AppError } from '@switchyard/kernel';
import { FairSemaphore, type FairSemaphoreOptions, tooManyWaitFor } from './fair-semaphore';

const DEFAULTS: FairSemaphoreOptions = {
  slots: 4,
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
    const slots = semaphore();
    for (let i = 0; i < 4; i += 1) expect(slots.acquire('a')).toBeUndefined();
    expect(slots.used).toBe(4);
  });

  it('gives the next free slots to an owner under its share, however long the other queue is', async () => {
    const slots = semaphore();
    const order: string[] = [];
    for (let i = 0; i < 4; i += 1) void slots.acquire('a');
    for (let i = 0; i < 10; i += 1) slots.acquire('a')?.then(() => order.push('a'), leave);
    for (let i = 0; i < 2; i += 1) slots.acquire('b')?.then(() => order.push('b'), leave);
    for (let i = 0; i < 2; i += 1) slots.release('a');
    await settled();
    expect(order).toEqual(['b', 'b']);
    expect(slots.slotsOf('a')).toBe(2);
  });

  it('serves waiting owners in turn', async () => {
    const slots = semaphore({ slots: 1, share: 1 });
    const order: string[] = [];
    void slots.acquire('x');
    for (const owner of ['a', 'a', 'a', 'b', 'c', 'b']) {
      void slots.acquire(owner)?.then(async () => {
        order.push(owner);
        await settled();
        slots.release(owner);
      });
    }
    slots.release('x');
    while (slots.waiting > 0) await settled();
    await settled();
    expect(order).toEqual(['a', 'b', 'c', 'a', 'b', 'a']);
  });

  it('keeps its reserve from an owner over its share, and gives it to another at once', () => {
    const slots = semaphore({ slots: 4, share: 2, reserve: 1 });
    for (let i = 0; i < 3; i += 1) expect(slots.acquire('a')).toBeUndefined();
    slots.acquire('a')?.catch(leave);
    expect(slots.waiting).toBe(1);
    void slots.acquire('b');
    expect(slots.slotsOf('b')).toBe(1);
    expect(slots.waiting).toBe(1);
  });

  it('admits the platform, however many slots it has', () => {
    const slots = semaphore({ slots: 3, share: 1, reserve: 1 });
    for (let i = 0; i < 3; i += 1) void slots.acquire(null);
    expect(slots.slotsOf(null)).toBe(3);
  });

  it('refuses with 503 after the wait, counts it, and removes the caller', async () => {
    const slots = semaphore({ slots: 1, share: 1, waitMs: 5 });
    void slots.acquire('a');
    const error = await slots.acquire('b')?.catch((thrown: unknown) => thrown);
    expect((error as AppError).code).toBe('SERVICE_UNAVAILABLE');
    expect(slots.refused).toBe(1);
    slots.release('a');
    expect(slots.used).toBe(0);
  });

  it('refuses at once an owner of whom too many wait, and all owners when too many wait in all', async () => {
    const slots = semaphore({ slots: 1, share: 1, waiting: { all: 3, each: 2 } });
    void slots.acquire('x');
    void slots.acquire('a');
    void slots.acquire('a');
    await expect(slots.acquire('a')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    void slots.acquire('b');
    await expect(slots.acquire('c')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect([slots.waiting, slots.refused]).toEqual([3, 2]);
    for (const owner of ['x', 'a', 'b', 'a']) {
      slots.release(owner);
      await settled();
    }
    expect([slots.used, slots.waiting]).toEqual([0, 0]);
  });

  it('releases its slot when the work fails', async () => {
    const slots = semaphore({ slots: 1, share: 1 });
    await expect(slots.run('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(slots.used).toBe(0);
  });

  it('admits all callers that cannot be refused, however many wait and for however long', async () => {
    const slots = semaphore({ slots: 1, share: 1, waitMs: 0, waiting: { all: 1, each: 1 } });
    const signal = new AbortController().signal;
    void slots.acquire('x');
    let entered = 0;
    const turns = Array.from({ length: 5 }, async () => {
      expect(await slots.acquireInTime('a', signal)).toBe('entered');
      entered += 1;
      slots.release('a');
    });
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect([entered, slots.waiting]).toEqual([0, 5]);
    slots.release('x');
    await Promise.all(turns);
    expect([entered, slots.used, slots.waiting]).toEqual([5, 0, 0]);
  });

  it('reserves no slot for a caller that has stopped waiting', async () => {
    const slots = semaphore({ slots: 1, share: 1 });
    const stop = new AbortController();
    void slots.acquire('x');
    const given = slots.acquireInTime('a', stop.signal);
    const next = slots.acquireInTime('b', new AbortController().signal);
    stop.abort();
    expect(await given).toBe('stopped');
    expect(await slots.acquireInTime('a', stop.signal)).toBe('stopped');
    slots.release('x');
    expect(await next).toBe('entered');
    expect([slots.used, slots.waiting, slots.slotsOf('a')]).toEqual([1, 0, 0]);
  });
});
