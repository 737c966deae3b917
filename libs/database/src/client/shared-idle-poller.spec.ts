import type { Rows, Statement } from './pipelined-batch';
import { SharedIdlePoller, probeOf } from './shared-idle-poller';

const sign = (name: string): Statement => ({ name, sql: `select 1 from ${name}`, params: [] });

describe('looks for idle loops', () => {
  let probed: string[][];
  let there: Set<string>;
  let isUnavailable: boolean;
  let isSilent: boolean;
  let poller: SharedIdlePoller;
  let woken: string[];
  let failures: number;

  beforeEach(() => {
    jest.useFakeTimers();
    [probed, there, isUnavailable, woken] = [[], new Set(), false, []];
    failures = 0;
    isSilent = false;
    const ask = ({ sql }: Statement): Promise<Rows> => {
      const names = [...sql.matchAll(/from (\w+)\)/g)].map(([, name = '']) => name);
      probed.push(names);
      if (isSilent) return new Promise(() => undefined);
      if (isUnavailable) return Promise.reject(new Error('away'));
      return Promise.resolve([{ found: names.flatMap((name, at) => (there.has(name) ? [at] : [])) }]);
    };
    poller = new SharedIdlePoller(ask, () => {
      failures += 1;
    });
  });

  afterEach(() => {
    poller.stop();
    jest.useRealTimers();
  });

  /** Like an idle loop, which stops watching when woken. */
  const watch = (loop: string, ...names: string[]): (() => void) => {
    const leave = poller.for(...names.map(sign)).watch(() => {
      woken.push(loop);
      leave();
    });
    return leave;
  };

  it('are taken together, every five seconds', async () => {
    watch('claimer', 'loose', 'due');
    await jest.advanceTimersByTimeAsync(500);
    watch('sweeper', 'held');
    await jest.advanceTimersByTimeAsync(30_000);
    expect(probed.length).toBe(6);
    expect(new Set(probed.map(String))).toEqual(new Set(['loose,due,held']));
    expect(woken).toEqual([]);
  });

  it('wake the loop whose sign is there, and no other', async () => {
    watch('claimer', 'loose', 'due');
    watch('sweeper', 'held');
    watch('sender', 'callbacks');
    there.add('due').add('callbacks');
    await jest.advanceTimersByTimeAsync(12_000);
    expect(woken).toEqual(['claimer', 'sender']);
    expect(probed.at(-1)).toEqual(['loose', 'due', 'held', 'callbacks']);
  });

  it('wake all when the database does not answer', async () => {
    watch('claimer', 'loose');
    watch('sweeper', 'held');
    isUnavailable = true;
    await jest.advanceTimersByTimeAsync(6_000);
    expect(woken).toEqual(['claimer', 'sweeper']);
    expect(failures).toBe(1);
  });

  it('wake all when the answer takes too long, and go on', async () => {
    watch('sweeper', 'held');
    isSilent = true;
    await jest.advanceTimersByTimeAsync(8_500);
    expect(woken).toEqual(['sweeper']);
    isSilent = false;
    watch('claimer', 'loose');
    await jest.advanceTimersByTimeAsync(6_000);
    expect(probed).toEqual([['held'], ['held', 'loose']]);
  });

  it('ask once for what several loops look for', async () => {
    watch('lane 0', 'imports');
    watch('lane 1', 'imports');
    there.add('imports');
    await jest.advanceTimersByTimeAsync(6_000);
    expect(probed).toEqual([['imports']]);
    expect(woken).toEqual(['lane 0', 'lane 1']);
  });

  it('end with the last loop, and begin again with the next', async () => {
    const leave = watch('claimer', 'loose');
    leave();
    await jest.advanceTimersByTimeAsync(30_000);
    expect(probed).toEqual([]);
    watch('sweeper', 'held');
    await jest.advanceTimersByTimeAsync(6_000);
    expect(probed).toEqual([['loose', 'held']]);
  });

  it('let each loop look for itself once a minute, one after the other', async () => {
    const at = new Map<string, number[]>();
    const follow = (loop: string): void => {
      const leave = poller.for(sign(loop)).watch(() => {
        leave();
        at.set(loop, [...(at.get(loop) ?? []), Date.now()]);
        follow(loop);
      });
    };
    for (const loop of ['a', 'b', 'c', 'd', 'e', 'f']) follow(loop);
    await jest.advanceTimersByTimeAsync(305_000);
    const times = [...at.values()].flat();
    expect([...at.values()].map(({ length }) => length)).toEqual([5, 5, 5, 5, 5, 5]);
    expect(new Set(times).size).toBe(times.length);
    for (const looks of at.values())
      for (const [turn, time] of looks.slice(1).entries()) expect(time - (looks[turn] ?? 0)).toBe(60_000);
  });

  it('are one statement, in which each keeps its parameters', () => {
    const signs: Statement[] = [
      { name: 'late', sql: 'select 1 from jobs where age > $2 and kind = $1', params: ['a', 5] },
      sign('held'),
      { name: 'other', sql: 'select 1 from work where worker <> $1', params: ['me'] },
    ];
    expect(probeOf(signs)).toEqual({
      name: 'idle-loops-3',
      params: ['a', 5, 'me'],
      hasOnePlan: true,
      sql:
        'select array_remove(array[case when exists (select 1 from jobs where age > $2 and kind = $1) then 0 end, ' +
        'case when exists (select 1 from held) then 1 end, ' +
        'case when exists (select 1 from work where worker <> $3) then 2 end]::int[], null) as found',
    });
  });
});
