import { Others, RepeatedCallGuard, Stage, type InterruptedCall } from './interrupted-calls';

jest.useFakeTimers();

/** Replicas of a service; their reports to each other arrive at once, or when they are delivered. */
function replicas(count: number) {
  const guards = Array.from({ length: count }, () => new RepeatedCallGuard());
  const stored = new Map<string, InterruptedCall>();
  const waiting: InterruptedCall[] = [];
  let isSlow = false;
  const deliver = (call: InterruptedCall): void => {
    for (const guard of guards) guard.learn(JSON.parse(JSON.stringify(call)) as InterruptedCall);
  };
  for (const guard of guards)
    guard.onChange((call) => {
      stored.set(call.work, call);
      if (isSlow) waiting.push(call);
      else deliver(call);
    });
  return {
    guards,
    /** A replica that starts later, and has read what was stored. */
    later: () => {
      const guard = new RepeatedCallGuard();
      for (const call of stored.values()) guard.learn(JSON.parse(JSON.stringify(call)) as InterruptedCall);
      return guard;
    },
    slow: () => (isSlow = true),
    deliverAll: () => waiting.splice(0).forEach(deliver),
  };
}

/** The process ends with these requests, each sent as the replica would send it. */
const end = (
  guard: RepeatedCallGuard,
  server: string,
  works: readonly string[],
  others: number = Others.none,
  sentAt = Date.now(),
): void =>
  guard.ended(
    server,
    works.map((work) => ({ work, stage: guard.find(work) ? Stage.repeat : Stage.fresh, sentAt, others })),
  );

const isGivenUp = (guard: RepeatedCallGuard, work: string): boolean => guard.find(work)?.losses === 2;

/** How many processes end with the request until it is given up. */
function endsUntilGivenUp(others: number): number {
  const guard = new RepeatedCallGuard();
  let ends = 0;
  while (!isGivenUp(guard, 'work') && ends < 20) {
    ends += 1;
    end(guard, `ctl.agent.${ends}`, ['work'], others);
  }
  return ends;
}

describe('requests that lost their process', () => {
  it('are given up when the second one ends in which they were alone', () => {
    const { guards, later } = replicas(2);
    const [first, second] = guards as [RepeatedCallGuard, RepeatedCallGuard];
    end(first, 'ctl.agent.1', ['bad', 'good']);
    expect([first, second].map((guard) => isGivenUp(guard, 'bad'))).toEqual([false, false]);
    end(second, 'ctl.agent.2', ['bad']);
    expect([...guards, later()].map((guard) => isGivenUp(guard, 'bad'))).toEqual([true, true, true]);
    expect([...guards, later()].map((guard) => isGivenUp(guard, 'good'))).toEqual([false, false, false]);
    expect(() => second.check('bad')).toThrow('given up');
    second.answered('bad');
    expect([...guards, later()].map((guard) => guard.find('bad'))).toEqual([undefined, undefined, undefined]);
  });

  it('count a process once, also if several replicas report it, in any order', () => {
    const { guards, slow, deliverAll } = replicas(2);
    const [first, second] = guards as [RepeatedCallGuard, RepeatedCallGuard];
    slow();
    end(first, 'ctl.agent.1', ['work']);
    end(second, 'ctl.agent.1', ['work']);
    deliverAll();
    end(second, 'ctl.agent.1', ['work']);
    deliverAll();
    expect(guards.map((guard) => guard.find('work'))).toMatchObject([
      { losses: 1, unexplained: 0 },
      { losses: 1, unexplained: 0 },
    ]);
  });

  it.each([
    ['two processes where they were alone', Others.none, 2],
    ['three where others began after their time alone', Others.joined, 3],
    ['nine where they were never alone', Others.always, 9],
  ])('are given up after %s', (_, others, ends) => {
    expect(endsUntilGivenUp(others)).toBe(ends);
  });

  it('may have lost one process whose name is not known, which is the one that another replica names', () => {
    const { guards } = replicas(2);
    const [first, second] = guards as [RepeatedCallGuard, RepeatedCallGuard];
    first.silent('slow', 0, true);
    expect(second.find('slow')).toMatchObject({ losses: 0 });
    for (const work of ['one', 'two']) {
      if (work === 'one') first.silent(work, 0, false);
      second.ended(`ctl.agent.${work}`, [{ work, stage: Stage.fresh, sentAt: 0, others: Others.always }]);
      if (work === 'two') first.silent(work, 0, false);
      expect(guards.map((guard) => guard.find(work)?.losses)).toEqual([1, 1]);
      end(first, `ctl.agent.next ${work}`, [work]);
      expect(isGivenUp(second, work)).toBe(true);
    }
    first.silent('again', 0, false);
    first.silent('again', 0, false);
    expect(second.find('again')).toMatchObject({ losses: 1, unexplained: 0 });
  });

  it('have lost their process for certain only if that of their last try is known to have ended', async () => {
    const { guards } = replicas(2);
    const [first, second] = guards as [RepeatedCallGuard, RepeatedCallGuard];
    expect(second.ageMs('work')).toBe(0);
    first.silent('work', Date.now(), false);
    await jest.advanceTimersByTimeAsync(1_000);
    expect(second.ageMs('work')).toBe(1_000);
    end(first, 'ctl.agent.1', ['work']);
    expect(second.ageMs('work')).toBe(Infinity);
    await jest.advanceTimersByTimeAsync(1_000);
    // Its process is there, and is slow.
    second.silent('work', Date.now(), true);
    await jest.advanceTimersByTimeAsync(300);
    expect(guards.map((guard) => guard.ageMs('work'))).toEqual([300, 300]);
  });

  it('tell once that their process has ended', () => {
    const { guards } = replicas(2);
    const [first, second] = guards as [RepeatedCallGuard, RepeatedCallGuard];
    const ended: string[] = [];
    const stop = second.onEnded((server) => ended.push(server));
    first.silent('work', 0, false);
    end(first, 'ctl.agent.1', ['work', 'other']);
    end(second, 'ctl.agent.1', ['other']);
    stop();
    end(first, 'ctl.agent.2', ['work']);
    expect(ended).toEqual(['ctl.agent.1']);
  });
});
