import { AppError } from '@switchyard/kernel';
import { Batcher } from './batcher';

interface Write {
  group: string;
  items: number[];
  finish: (error?: Error) => void;
}

const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function committing(limits: { items: number; bytes: number; gathers?: boolean } = { items: 3, bytes: 100 }) {
  const writes: Write[] = [];
  const commit = new Batcher<number, string>(
    (items, group) =>
      new Promise((resolve, reject) => {
        const finish = (error?: Error): void => {
          if (error) reject(error);
          else resolve(items.map((item) => (item < 0 ? new AppError('CONFLICT', 'taken') : `written ${item}`)));
        };
        writes.push({ group, items, finish });
      }),
    { ...limits, retriesOneByOne: true },
  );
  return { commit, writes };
}

describe('Batcher, each owner by itself', () => {
  it('writes a lone item at once', async () => {
    const { commit, writes } = committing();
    const answer = commit.add('a', 1, 1);
    expect(writes).toHaveLength(1);
    writes[0]?.finish();
    await expect(answer).resolves.toBe('written 1');
  });

  it('writes the items of one turn of the event loop together, where it is to gather them', async () => {
    const { commit, writes } = committing({ items: 3, bytes: 100, gathers: true });
    void commit.add('a', 1, 1);
    await Promise.resolve();
    void commit.add('b', 2, 1);
    void commit.add('a', 3, 1);
    expect(writes).toHaveLength(0);
    await tick();
    expect(writes.map((write) => write.items)).toEqual([[1, 3], [2]]);
    void commit.add('a', 4, 1);
    await tick();
    expect(writes).toHaveLength(2);
    writes[0]?.finish();
    await tick();
    expect(writes[2]?.items).toEqual([4]);
  });

  it('batches items that arrive during a write, up to its limits, in order of arrival', async () => {
    const { commit, writes } = committing();
    const answers = [1, 2, 3, 4, 5].map((item) => commit.add('a', item, 1));
    for (let i = 0; i < 3; i += 1) {
      writes[i]?.finish();
      await tick();
    }
    expect(writes.map((write) => write.items)).toEqual([[1], [2, 3, 4], [5]]);
    expect(await Promise.all(answers)).toEqual([1, 2, 3, 4, 5].map((item) => `written ${item}`));
  });

  it('counts bytes, but always takes one', async () => {
    const { commit, writes } = committing();
    void commit.add('a', 1, 1);
    void commit.add('a', 2, 500);
    void commit.add('a', 3, 60);
    void commit.add('a', 4, 60);
    for (let i = 0; i < 4; i += 1) {
      writes[i]?.finish();
      await tick();
    }
    expect(writes.map((write) => write.items)).toEqual([[1], [2], [3], [4]]);
  });

  it('batches owners separately, at the same time', () => {
    const { commit, writes } = committing();
    void commit.add('a', 1, 1);
    void commit.add('b', 2, 1);
    expect(writes.map((write) => write.group)).toEqual(['a', 'b']);
  });

  it('refuses one item without refusing its neighbours', async () => {
    const { commit, writes } = committing();
    const answers = [1, -2, 3].map((item) =>
      commit.add('a', item, 1).catch((error: unknown) => (error as AppError).code),
    );
    writes[0]?.finish();
    await tick();
    writes[1]?.finish();
    expect(await Promise.all(answers)).toEqual(['written 1', 'CONFLICT', 'written 3']);
  });

  it('retries the items of a failed batch one by one, and goes on afterwards', async () => {
    const { commit, writes } = committing();
    const answers = [1, 2, 3].map((item) =>
      commit.add('a', item, 1).catch((error: unknown) => (error as Error).message),
    );
    const finish = async (index: number, error?: Error): Promise<void> => {
      writes[index]?.finish(error);
      await tick();
    };
    await finish(0);
    await finish(1, new Error('one of them is poison'));
    await finish(2);
    await finish(3, new Error('poison'));
    expect(await Promise.all(answers)).toEqual(['written 1', 'written 2', 'poison']);
    const later = commit.add('a', 4, 1);
    await finish(4);
    await expect(later).resolves.toBe('written 4');
  });

  it('does not retry one by one while the database is unavailable', async () => {
    const { commit, writes } = committing();
    const answers = [1, 2, 3].map((item) =>
      commit.add('a', item, 1).catch((error: unknown) => (error as AppError).code),
    );
    writes[0]?.finish();
    await tick();
    writes[1]?.finish(new AppError('SERVICE_UNAVAILABLE', 'away'));
    expect(await Promise.all(answers)).toEqual(['written 1', 'SERVICE_UNAVAILABLE', 'SERVICE_UNAVAILABLE']);
    expect(writes).toHaveLength(2);
  });

  it('resolves `flushed` when the current items of a group are written, also if more are added later', async () => {
    const { commit, writes } = committing({ items: 1, bytes: 100 });
    const flushed: string[] = [];
    const answers = [commit.add('a', 1, 1), commit.add('a', -2, 1).catch(() => 'refused'), commit.add('b', 9, 1)];
    void commit.flushed('a').then(() => flushed.push('a'));
    void commit.flushed('c').then(() => flushed.push('c'));
    void commit.add('a', 3, 1);
    await tick();
    expect(flushed).toEqual(['c']);
    writes[0]?.finish();
    await tick();
    expect(flushed).toEqual(['c']);
    writes[2]?.finish();
    await tick();
    expect(flushed).toEqual(['c', 'a']);
    expect(await Promise.all(answers.slice(0, 2))).toEqual(['written 1', 'refused']);
  });

  it('sends the next group before it answers the callers of the last one, if it is to', async () => {
    const seen: string[] = [];
    const answers: (() => void)[] = [];
    const commit = new Batcher<number, string>(
      async (items) => {
        // Like a connection pool.
        await Promise.resolve();
        await new Promise<void>((resolve) => {
          process.nextTick(resolve);
        });
        await Promise.resolve();
        seen.push(`sent ${items.join()}`);
        await new Promise<void>((resolve) => answers.push(resolve));
        return items.map(String);
      },
      { items: 10, sendsNextFirst: true },
    );
    const all = [1, 2, 3].map(async (item) => seen.push(`told ${await commit.add('a', item)}`));
    await tick();
    answers[0]?.();
    await tick();
    answers[1]?.();
    await Promise.all(all);
    expect(seen).toEqual(['sent 1', 'sent 2,3', 'told 1', 'told 2', 'told 3']);
  });
});

const LIMITS = { items: 4, bytes: 100 };
const SHARED = { owners: 4, atOnce: 1, isolatedMs: 1_000 };

interface Begun {
  items: string[];
  end: () => Promise<void>;
  fail: (error: Error) => Promise<void>;
}

const soon = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Batches that the test completes. */
function groupsOf({ items = 4, ...shared }: Partial<typeof SHARED & { items: number }> = {}) {
  const begun: Begun[] = [];
  const groups = new Batcher<string, string>(
    (items) =>
      new Promise<string[]>((resolve, reject) => {
        begun.push({
          items,
          end: () => {
            resolve(items.map((item) => `${item} done`));
            return soon();
          },
          fail: (error) => {
            reject(error);
            return soon();
          },
        });
      }),
    { ...LIMITS, items, shared: { ...SHARED, ...shared } },
  );
  return { groups, begun, items: () => begun.map(({ items }) => items) };
}

afterEach(() => {
  jest.useRealTimers();
});

describe('Batcher, with shared batches', () => {
  it('run a single caller at once, and batch callers that arrive meanwhile', async () => {
    const { groups, begun, items } = groupsOf();
    const answers = ['a', 'b', 'c'].map((owner) => groups.add(owner, owner));
    expect(items()).toEqual([['a']]);
    await begun[0]?.end();
    expect(items()).toEqual([['a'], ['b', 'c']]);
    await begun[1]?.end();
    expect(await Promise.all(answers)).toEqual(['a done', 'b done', 'c done']);
  });

  it('take one of each owner in turn', async () => {
    const { groups, begun, items } = groupsOf();
    void groups.add('x', 'x');
    for (let n = 1; n <= 9; n += 1) void groups.add('many', `m${n}`);
    void groups.add('few', 'f1');
    await begun[0]?.end();
    expect(items()[1]).toEqual(['m1', 'f1', 'm2', 'm3']);
    void groups.add('late', 'l1');
    await begun[1]?.end();
    expect(items()[2]).toEqual(['m4', 'l1', 'm5', 'm6']);
  });

  it('begin with another owner each time', async () => {
    const { groups, begun, items } = groupsOf({ items: 2 });
    void groups.add('x', 'x');
    for (const owner of ['a', 'b', 'c']) for (const n of [1, 2]) void groups.add(owner, `${owner}${n}`);
    for (let n = 0; n < 3; n += 1) await begun[n]?.end();
    expect(items().slice(1)).toEqual([
      ['a1', 'b1'],
      ['c1', 'a2'],
      ['b2', 'c2'],
    ]);
  });

  it('hold only so many bytes, but always one', async () => {
    const { groups, begun, items } = groupsOf();
    void groups.add('x', 'x');
    void groups.add('a', 'large', 500);
    void groups.add('b', 'half', 60);
    void groups.add('c', 'other half', 60);
    for (let n = 0; n < 3; n += 1) await begun[n]?.end();
    expect(items().slice(1)).toEqual([['large'], ['half'], ['other half']]);
  });

  it('are of so many owners at most', async () => {
    const { groups, begun, items } = groupsOf({ owners: 2 });
    void groups.add('x', 'x');
    for (const owner of ['a', 'b', 'c']) for (const n of [1, 2]) void groups.add(owner, `${owner}${n}`);
    await begun[0]?.end();
    expect(items()[1]).toEqual(['a1', 'b1', 'a2', 'b2']);
  });

  it('have an owner in one at a time', async () => {
    const { groups, begun, items } = groupsOf({ atOnce: 2 });
    void groups.add('a', 'a1');
    void groups.add('a', 'a2');
    void groups.add('b', 'b1');
    void groups.add('c', 'c1');
    expect(items()).toEqual([['a1'], ['b1']]);
    await begun[1]?.end();
    expect(items()[2]).toEqual(['c1']);
    await begun[0]?.end();
    expect(items()[3]).toEqual(['a2']);
  });

  it('batch an isolated owner alone for a while, concurrently with the others', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate'] });
    const { groups, begun, items } = groupsOf();
    groups.isolate('a');
    void groups.add('x', 'x');
    for (const owner of ['b', 'a', 'c']) void groups.add(owner, `${owner}1`);
    void groups.add('a', 'a2');
    expect(items()).toEqual([['x'], ['a1']]);
    await begun[1]?.end();
    expect(items().slice(2)).toEqual([['a2']]);
    await begun[0]?.end();
    expect(items().slice(3)).toEqual([['b1', 'c1']]);
    for (const each of begun.slice(2)) await each.end();
    jest.setSystemTime(Date.now() + 1_001);
    void groups.add('x', 'x');
    for (const owner of ['a', 'b']) void groups.add(owner, `${owner}4`);
    await begun.at(-1)?.end();
    expect(items().at(-1)).toEqual(['a4', 'b4']);
  });

  it('keep the waiting items of an owner when it is isolated', async () => {
    const { groups, begun, items } = groupsOf();
    void groups.add('x', 'x');
    const answer = groups.add('a', 'a1');
    expect(items()).toEqual([['x']]);
    groups.isolate('a');
    expect(items()).toEqual([['x'], ['a1']]);
    await begun[1]?.end();
    expect(await answer).toBe('a1 done');
  });

  it('fail together where the work itself fails', async () => {
    const { groups, begun } = groupsOf();
    const [first, ...others] = ['x', 'a', 'b'].map((owner) => groups.add(owner, owner));
    await begun[0]?.end();
    const ended = Promise.allSettled(others);
    await begun[1]?.fail(new Error('no way'));
    expect((await ended).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await first).toBe('x done');
    void groups.add('a', 'again');
    expect(begun[2]?.items).toEqual(['again']);
  });
});
