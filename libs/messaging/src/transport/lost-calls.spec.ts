import { Stage } from './ended-servers';
import { RepeatedCallGuard, type UnansweredCall, stageOf } from './lost-calls';

jest.useFakeTimers();

/** Replicas of a service; their reports to each other arrive at once, or when they are delivered. */
function replicas(count: number) {
  const guards = Array.from({ length: count }, () => new RepeatedCallGuard());
  const stored = new Map<string, UnansweredCall>();
  const waiting: UnansweredCall[] = [];
  let isSlow = false;
  const deliver = (call: UnansweredCall): void => {
    for (const guard of guards) guard.learn(JSON.parse(JSON.stringify(call)) as UnansweredCall);
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
      for (const call of stored.values()) guard.learn(JSON.parse(JSON.stringify(call)) as UnansweredCall);
      return guard;
    },
    slow: () => (isSlow = true),
    deliverAll: () => waiting.splice(0).forEach(deliver),
  };
}

/** The process ends with these requests, each sent as the replica would send it. */
const end = (guard: RepeatedCallGuard, server: string, works: readonly string[], sentAt = 0): void =>
  guard.ended(
    server,
    works.map((work) => ({ work, stage: stageOf(guard.find(work)), sentAt })),
  );

const isGivenUp = (guard: RepeatedCallGuard, work: string): boolean => guard.find(work)?.losses === 2;
const settle = () => jest.advanceTimersByTimeAsync(1_500);

describe('requests that lost their process', () => {
  it('are given up when the second one ends that had nothing else', async () => {
    const { guards, later } = replicas(2);
    const [first, second] = guards as [RepeatedCallGuard, RepeatedCallGuard];
    end(first, 'ctl.agent.1', ['bad', 'good']);
    expect([first, second].map((guard) => isGivenUp(guard, 'bad'))).toEqual([false, false]);
    end(second, 'ctl.agent.2', ['bad']);
    await settle();
    expect([...guards, later()].map((guard) => isGivenUp(guard, 'bad'))).toEqual([true, true, true]);
    expect([...guards, later()].map((guard) => isGivenUp(guard, 'good'))).toEqual([false, false, false]);
    expect(() => second.check('bad')).toThrow('given up');
    second.answered('bad');
    expect([...guards, later()].map((guard) => guard.find('bad'))).toEqual([undefined, undefined, undefined]);
  });

  it('count a process once, whoever reports it and in whatever order', async () => {
    const { guards, slow, deliverAll } = replicas(2);
    const [first, second] = guards as [RepeatedCallGuard, RepeatedCallGuard];
    slow();
    end(first, 'ctl.agent.1', ['work']);
    end(second, 'ctl.agent.1', ['work']);
    deliverAll();
    end(second, 'ctl.agent.1', ['work']);
    deliverAll();
    await settle();
    expect(guards.map((guard) => guard.find('work'))).toMatchObject([
      { losses: 1, unexplained: 0 },
      { losses: 1, unexplained: 0 },
    ]);
  });

  it('protect each other where several were repeated in one process, at whichever replica', async () => {
    const { guards, later, slow, deliverAll } = replicas(2);
    const [first, second] = guards as [RepeatedCallGuard, RepeatedCallGuard];
    end(first, 'ctl.agent.1', ['bad', 'good']);
    slow();
    end(first, 'ctl.agent.2', ['bad']);
    end(second, 'ctl.agent.2', ['good']);
    deliverAll();
    await settle();
    for (const guard of [...guards, later()])
      for (const work of ['bad', 'good'])
        expect([work, guard.find(work)]).toMatchObject([work, { losses: 1, unexplained: 1 }]);
    deliverAll();
    expect(stageOf(first.find('bad'))).toBe(Stage.trial);
    // Alone now: the next one explains it, also where the other was answered meanwhile.
    second.answered('good');
    end(first, 'ctl.agent.3', ['bad']);
    deliverAll();
    await settle();
    expect(guards.map((guard) => isGivenUp(guard, 'bad'))).toEqual([true, true]);
  });

  it('are protected by the others of a process after those were answered', async () => {
    const { guards, later } = replicas(1);
    const [guard] = guards as [RepeatedCallGuard];
    end(guard, 'ctl.agent.1', ['one', 'two']);
    end(guard, 'ctl.agent.2', ['one', 'two']);
    guard.answered('two');
    await settle();
    await jest.advanceTimersByTimeAsync(900_000);
    expect([guard, later()].map((each) => isGivenUp(each, 'one'))).toEqual([false, false]);
  });

  it.each([
    ['that began later', 20, [false, false, true]],
    ['that ran before', 5, [true, true, true]],
  ])('are protected twice by fresh work of the process %s', async (_, sentAt, expected) => {
    const { guards } = replicas(2);
    const [first, second] = guards as [RepeatedCallGuard, RepeatedCallGuard];
    end(first, 'ctl.agent.0', ['bad'], 10);
    const found: boolean[] = [];
    for (let round = 1; round <= 3; round += 1) {
      end(second, `ctl.agent.${round}`, [`fresh ${round}`], sentAt);
      end(first, `ctl.agent.${round}`, ['bad'], 10);
      await settle();
      found.push(isGivenUp(second, 'bad'));
    }
    expect(found).toEqual(expected);
    expect(isGivenUp(first, 'fresh 1')).toBe(false);
  });

  it('may have lost one process whose name is not known, which is the one that another replica names', async () => {
    const { guards } = replicas(2);
    const [first, second] = guards as [RepeatedCallGuard, RepeatedCallGuard];
    first.silent('slow', true);
    expect(second.find('slow')).toMatchObject({ losses: 0 });
    for (const work of ['one', 'two']) {
      if (work === 'one') first.silent(work, false);
      second.ended(`ctl.agent.${work}`, [{ work, stage: Stage.fresh, sentAt: 0 }]);
      if (work === 'two') first.silent(work, false);
      expect(guards.map((guard) => guard.find(work)?.losses)).toEqual([1, 1]);
      end(first, `ctl.agent.next ${work}`, [work]);
      await settle();
      expect(isGivenUp(second, work)).toBe(true);
    }
    first.silent('again', false);
    first.silent('again', false);
    expect(second.find('again')).toMatchObject({ losses: 1, unexplained: 0 });
  });

  it('are protected by other requests of the process that are not counted', () => {
    const { guards } = replicas(1);
    const [guard] = guards as [RepeatedCallGuard];
    end(guard, 'ctl.agent.1', ['work']);
    guard.ended('ctl.agent.2', [{ work: 'work', stage: Stage.suspect, sentAt: 10 }], 11);
    expect(guard.find('work')).toMatchObject({ losses: 1, unexplained: 1 });
    guard.ended('ctl.agent.3', [{ work: 'work', stage: Stage.suspect, sentAt: 10 }], 9);
    expect(isGivenUp(guard, 'work')).toBe(true);
  });

  it('have an end also where they are never repeated alone', () => {
    const { guards } = replicas(1);
    const [guard] = guards as [RepeatedCallGuard];
    let rounds = 0;
    while (!isGivenUp(guard, 'one') && rounds < 20) {
      rounds += 1;
      end(guard, `ctl.agent.${rounds}`, ['one', 'two']);
    }
    expect(rounds).toBe(9);
  });

  it('are looked at before others have reported theirs only once that is over', async () => {
    const guard = new RepeatedCallGuard();
    end(guard, 'ctl.agent.1', ['work']);
    let isSettled = false;
    void guard.settled().then(() => (isSettled = true));
    await jest.advanceTimersByTimeAsync(1_000);
    expect(isSettled).toBe(false);
    await jest.advanceTimersByTimeAsync(500);
    expect(isSettled).toBe(true);
  });

  it('are counted as replicas of an earlier version report them', () => {
    const guard = new RepeatedCallGuard();
    guard.learn({ work: 'work', silence: { losses: 1, unexplained: 3 } });
    guard.learn({ work: 'work', silence: { losses: 1, unexplained: 2 } });
    expect(guard.find('work')).toMatchObject({ losses: 1, unexplained: 3 });
    guard.learn({ work: 'work', silence: { losses: 2, unexplained: 3 } });
    expect(isGivenUp(guard, 'work')).toBe(true);
  });
});
