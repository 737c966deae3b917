import { AppError } from '@switchyard/kernel';
import { GroupCommit } from './group-commit';

const gate = (): { open: () => void; wait: Promise<void> } => {
  let open = (): void => undefined;
  const wait = new Promise<void>((resolve) => (open = resolve));
  return { open, wait };
};

describe('group commit', () => {
  it('sends a lone item at once, and what arrives meanwhile together', async () => {
    const batches: number[][] = [];
    const first = gate();
    const group = new GroupCommit<number, number>(
      async (items) => {
        batches.push(items);
        if (batches.length === 1) await first.wait;
        return items.map((item) => item * 2);
      },
      { batch: 100, lanes: 1 },
    );
    const results = [group.add(1)];
    await new Promise(setImmediate);
    results.push(group.add(2), group.add(3));
    first.open();
    expect(await Promise.all(results)).toEqual([2, 4, 6]);
    expect(batches).toEqual([[1], [2, 3]]);
  });

  it('does not let one bad item take others down', async () => {
    const group = new GroupCommit<number, number>(
      (items) => (items.includes(13) ? Promise.reject(new Error('bad')) : Promise.resolve(items)),
      { batch: 100, lanes: 1 },
    );
    const results = await Promise.allSettled([group.add(1), group.add(13), group.add(2)]);
    expect(results.map((result) => result.status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });

  it('fails a whole batch at once when the database is away', async () => {
    let calls = 0;
    const group = new GroupCommit<number, number>(
      () => {
        calls += 1;
        return Promise.reject(new AppError('SERVICE_UNAVAILABLE', 'away'));
      },
      { batch: 100, lanes: 1 },
    );
    await Promise.allSettled([group.add(1), group.add(2), group.add(3)]);
    expect(calls).toBe(1);
  });

  it('tells when everything is stored', async () => {
    const stored: number[] = [];
    const group = new GroupCommit<number, void>(
      async (items) => {
        await new Promise(setImmediate);
        stored.push(...items);
        return items.map(() => undefined);
      },
      { batch: 1, lanes: 1 },
    );
    void group.add(1);
    void group.add(2);
    await group.flushed();
    expect(stored).toEqual([1, 2]);
    await group.flushed();
  });

  it('tells so under a load that never ends', async () => {
    let isLoaded = true;
    const group = new GroupCommit<number, number>(
      async (items) => {
        await new Promise(setImmediate);
        return items;
      },
      { batch: 10, lanes: 1 },
    );
    const load = (async () => {
      // eslint-disable-next-line @typescript-eslint/no-unnecessary-condition -- it changes while we wait
      while (isLoaded) {
        void group.add(1);
        await new Promise(setImmediate);
      }
    })();
    await group.flushed();
    void group.add(2);
    await group.flushed();
    isLoaded = false;
    await load;
  });
});
