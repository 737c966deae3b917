import { AppError } from '@switchyard/kernel';
import { GroupCommit } from './group-commit';

interface Write {
  group: string;
  items: number[];
  finish: (error?: Error) => void;
}

const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function committing(limits = { items: 3, bytes: 100 }) {
  const writes: Write[] = [];
  const commit = new GroupCommit<number, string>(
    (group, items) =>
      new Promise((resolve, reject) => {
        const finish = (error?: Error): void => {
          if (error) reject(error);
          else resolve(items.map((item) => (item < 0 ? new AppError('CONFLICT', 'taken') : `written ${item}`)));
        };
        writes.push({ group, items, finish });
      }),
    limits,
  );
  return { commit, writes };
}

describe('a group commit', () => {
  it('writes a lone item at once', async () => {
    const { commit, writes } = committing();
    const answer = commit.add('a', 1, 1);
    expect(writes).toHaveLength(1);
    writes[0]?.finish();
    await expect(answer).resolves.toBe('written 1');
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

  it('keeps groups apart', () => {
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

  it('resolves `flushed` when the current items of a group are written, whatever is added later', async () => {
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
    const commit = new GroupCommit<number, string>(
      async (_group, items) => {
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
