import { SharedGroups } from './shared-groups';

const OPTIONS = { items: 4, owners: 4, bytes: 100, atOnce: 1, apartMs: 1_000 };

interface Begun {
  items: string[];
  end: () => Promise<void>;
  fail: (error: Error) => Promise<void>;
}

const soon = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Batches that the test completes. */
function groupsOf(options: Partial<typeof OPTIONS> = {}) {
  const begun: Begun[] = [];
  const groups = new SharedGroups<string, string>(
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
    { ...OPTIONS, ...options },
  );
  return { groups, begun, items: () => begun.map(({ items }) => items) };
}

afterEach(() => {
  jest.useRealTimers();
});

describe('groups that owners share', () => {
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
    groups.setApart('a');
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
    groups.setApart('a');
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
