import { AloneLines } from './alone-lines';
import { until } from '@switchyard/testing';

const of = (spaceId: string, isTrial = false) => ({ spaceId, limitMs: 60_000, isTrial });

describe('requests that are asked again alone', () => {
  it('go one after the other within a Space, and wait for no other Space', async () => {
    const lines = new AloneLines();
    const order: string[] = [];
    const leave = await lines.enter(of('a'));
    const second = lines.enter(of('a')).then(() => order.push('a'));
    await lines.enter(of('b'));
    order.push('b');
    leave();
    await second;
    expect(order).toEqual(['b', 'a']);
  });

  it('are told to come again later where too many of their Space wait, and not for ever', async () => {
    const lines = new AloneLines();
    const leave = await lines.enter(of('a'));
    const waiting = Array.from({ length: 19 }, () => lines.enter(of('a')));
    await expect(lines.enter(of('a'))).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 5 });
    await lines.enter(of('b'));
    leave();
    for (const turn of waiting) (await turn)();
    (await lines.enter(of('a')))();
  });

  it('end their turn once, however often they say so', async () => {
    const lines = new AloneLines();
    const leave = await lines.enter(of('a'));
    const second = lines.enter(of('a'));
    leave();
    leave();
    let isThird = false;
    const third = lines.enter(of('a')).then((end) => {
      isThird = true;
      return end;
    });
    const end = await second;
    expect(isThird).toBe(false);
    end();
    (await third)();
  });

  it('wait for other Spaces if they are trials, of each Space one, and for other replicas', async () => {
    const lines = new AloneLines();
    const replicas: (() => void)[] = [];
    const order: string[] = [];
    lines.waitForReplicas(async () => {
      await new Promise<void>((resolve) => replicas.push(resolve));
      return () => order.push('released');
    });
    const run = (spaceId: string): Promise<void> =>
      lines.enter(of(spaceId, true)).then((leave) => {
        order.push(spaceId);
        leave();
      });
    const all = ['a', 'a', 'b'].map(run);
    (await lines.enter(of('c')))();
    expect(order).toEqual([]);
    for (let turn = 0; turn < all.length; turn += 1) {
      await until(() => replicas.length > turn);
      expect(order).toHaveLength(2 * turn);
      replicas[turn]?.();
      await until(() => order.length === 2 * turn + 2);
    }
    await Promise.all(all);
    expect(order.filter((step) => step !== 'released')).toEqual(['a', 'b', 'a']);
  });

  it('wait for other Spaces if they are trials, also without other replicas', async () => {
    const lines = new AloneLines();
    const leave = await lines.enter(of('a', true));
    let isSecond = false;
    const second = lines.enter(of('b', true)).then(() => (isSecond = true));
    (await lines.enter(of('c')))();
    expect(isSecond).toBe(false);
    leave();
    await second;
  });

  it('keep others waiting for a limited time', async () => {
    const lines = new AloneLines();
    await lines.enter({ ...of('a', true), limitMs: 20 });
    (await lines.enter(of('b', true)))();
    (await lines.enter(of('a')))();
  });
});
