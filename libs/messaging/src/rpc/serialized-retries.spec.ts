import { SerializedRetries } from './serialized-retries';
import { until } from '@switchyard/testing';

describe('requests that are asked again alone', () => {
  it('go one after the other within a Space, and wait for no other Space', async () => {
    const lines = new SerializedRetries();
    const order: string[] = [];
    const leave = await lines.enter('a', 'work');
    const second = lines.enter('a', 'work').then(() => order.push('a'));
    await lines.enter('b', 'work');
    order.push('b');
    leave();
    await second;
    expect(order).toEqual(['b', 'a']);
  });

  it('are told to come again later where too many of their Space wait, and not for ever', async () => {
    const lines = new SerializedRetries();
    const leave = await lines.enter('a', 'work');
    const waiting = Array.from({ length: 19 }, () => lines.enter('a', 'work'));
    await expect(lines.enter('a', 'work')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 5 });
    await lines.enter('b', 'work');
    leave();
    for (const turn of waiting) (await turn)();
    (await lines.enter('a', 'work'))();
  });

  it('end their turn once, however often they say so', async () => {
    const lines = new SerializedRetries();
    const leave = await lines.enter('a', 'work');
    const second = lines.enter('a', 'work');
    leave();
    leave();
    let isThird = false;
    const third = lines.enter('a', 'work').then((end) => {
      isThird = true;
      return end;
    });
    const end = await second;
    expect(isThird).toBe(false);
    end();
    (await third)();
  });

  it('are repeated by one replica at a time, in the order of their Space', async () => {
    const lines = new SerializedRetries();
    const replicas = new Map<string, () => void>();
    const order: string[] = [];
    lines.waitForReplicas(async (work) => {
      await new Promise<void>((resolve) => replicas.set(work, resolve));
      return () => order.push(`end ${work}`);
    });
    const run = (spaceId: string, work: string): Promise<void> =>
      lines.enter(spaceId, work).then((leave) => {
        order.push(work);
        leave();
      });
    const all = [run('a', 'one'), run('a', 'two'), run('b', 'three')];
    await until(() => replicas.size === 2);
    replicas.get('three')?.();
    await until(() => order.length === 2);
    replicas.get('one')?.();
    await until(() => replicas.has('two'));
    replicas.get('two')?.();
    await Promise.all(all);
    expect(order).toEqual(['three', 'end three', 'one', 'end one', 'two', 'end two']);
  });

  it('keep others waiting for a limited time', async () => {
    const lines = new SerializedRetries();
    await lines.enter('a', 'work', 20);
    (await lines.enter('a', 'work'))();
  });
});
