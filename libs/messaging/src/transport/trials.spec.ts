import { Others } from './interrupted-calls';
import { type Repeat, Trials } from './trials';

jest.useFakeTimers();

const pass = (ms: number) => jest.advanceTimersByTimeAsync(ms);

/** Trials, and the order in which requests begin and callers learn what runs beside theirs. */
function someTrials() {
  const trials = new Trials();
  const log: string[] = [];
  const enter = async (name: string, repeat?: Repeat): Promise<void> => {
    await trials.enter(repeat);
    log.push(name);
  };
  return {
    trials,
    log,
    fresh: (name = 'fresh') => void enter(name),
    repeat: (name: string, { ageMs = Infinity, isBackground = false } = {}): Repeat => {
      const report = (others: number): void => void log.push(`${name} ${Object.keys(Others)[others]}`);
      const repeat = { ageMs, isBackground, report };
      void enter(name, repeat);
      return repeat;
    },
  };
}

describe('a repeat of a request that lost its process', () => {
  it('begins when fresh ones have ended, and others wait for it', async () => {
    const { trials, log, fresh, repeat } = someTrials();
    fresh('before');
    const bad = repeat('bad');
    fresh('after');
    await pass(100);
    expect(log).toEqual(['before']);
    trials.leave();
    await pass(10);
    expect(log).toEqual(['before', 'bad none', 'bad']);
    trials.leave(bad);
    await pass(1);
    expect(log.at(-1)).toBe('after');
    expect(trials.enter()).toBeUndefined();
  });

  it('does not wait for long ones for more than half a second', async () => {
    const { log, fresh, repeat } = someTrials();
    fresh('long');
    repeat('bad');
    await pass(499);
    expect(log).toEqual(['long']);
    await pass(10);
    expect(log).toEqual(['long', 'bad none', 'bad']);
  });

  it('delays fresh ones by two seconds at most, and its caller learns it before they begin', async () => {
    const { trials, log, fresh, repeat } = someTrials();
    const slow = repeat('slow');
    await pass(10);
    fresh('early');
    await pass(1_980);
    expect(log).toEqual(['slow none', 'slow']);
    await pass(20);
    expect(log).toEqual(['slow none', 'slow', 'slow joined', 'early']);
    fresh('late');
    await pass(1);
    expect(log.at(-1)).toBe('late');
    trials.leave(slow);
    expect(log.filter((line) => line === 'slow joined')).toHaveLength(1);
  });

  it('is alone for as long as nothing else begins', async () => {
    const { log, fresh, repeat } = someTrials();
    repeat('slow');
    await pass(20_000);
    expect(log).toEqual(['slow none', 'slow']);
    fresh();
    await pass(1);
    expect(log.slice(2)).toEqual(['slow joined', 'fresh']);
  });

  it('waits for others of its kind, and longer if fresh ones have waited', async () => {
    const { trials, log, fresh, repeat } = someTrials();
    const one = repeat('one');
    await pass(10);
    const two = repeat('two');
    trials.leave(one);
    await pass(10);
    fresh('fresh');
    await pass(980);
    const three = repeat('three');
    trials.leave(two);
    await pass(900);
    trials.leave();
    expect(log).toEqual(['one none', 'one', 'two none', 'two', 'fresh']);
    await pass(110);
    expect(log.slice(5)).toEqual(['three none', 'three']);
    trials.leave(three);
  });

  it('does not run beside another one whose process may still end, and not for ever behind it', async () => {
    const { log, fresh, repeat } = someTrials();
    repeat('slow');
    await pass(10);
    fresh();
    await pass(5_000);
    repeat('next');
    await pass(4_900);
    expect(log.slice(-2)).toEqual(['slow joined', 'fresh']);
    await pass(200);
    expect(log.slice(-2)).toEqual(['next always', 'next']);
    await pass(30_000);
    repeat('later');
    await pass(600);
    expect(log.slice(-2)).toEqual(['later none', 'later']);
  });

  it('is no trial unless a replica started since it was sent', async () => {
    const { trials, log, repeat } = someTrials();
    await pass(1_000);
    repeat('slow', { ageMs: 999 });
    await pass(100);
    expect(log).toEqual(['slow always', 'slow']);
    trials.replicaStarted();
    repeat('bad', { ageMs: 500 });
    await pass(600);
    expect(log.slice(2)).toEqual(['bad none', 'bad']);
  });

  it('is not reported to be alone if its time is over before it begins, because the process was busy', async () => {
    const { log, fresh, repeat } = someTrials();
    fresh('long');
    repeat('bad');
    fresh('next');
    await pass(100);
    // All timers are due at once.
    jest.advanceTimersByTime(2_500);
    await pass(10);
    expect(log).toEqual(['long', 'bad joined', 'bad always', 'next', 'bad']);
  });
});

describe('work in the background that lost its process', () => {
  it('waits for the trial of a request, whose caller learns it if they run together', async () => {
    const { trials, log, repeat } = someTrials();
    const request = repeat('request');
    await pass(10);
    repeat('turn', { isBackground: true });
    await pass(1_000);
    expect(log).toEqual(['request none', 'request']);
    trials.leave(request);
    await pass(600);
    expect(log.slice(2)).toEqual(['turn none', 'turn']);
    repeat('next');
    await pass(4_900);
    expect(log.slice(4)).toEqual([]);
    await pass(200);
    expect(log.slice(4)).toEqual(['turn joined', 'next always', 'next']);
  });

  it('is reported to have run beside a request that began later, before that begins', async () => {
    const { trials, fresh } = someTrials();
    const log: string[] = [];
    let store = (): void => undefined;
    const report = (others: number): unknown => {
      log.push(Object.keys(Others)[others] as string);
      return others === Others.joined ? new Promise<void>((resolve) => (store = resolve)) : undefined;
    };
    void trials.enter({ ageMs: Infinity, isBackground: true, report });
    await pass(2_010);
    void trials.enter()?.then(() => log.push('fresh'));
    fresh();
    await pass(100);
    expect(log).toEqual(['none', 'joined']);
    store();
    await pass(1);
    expect(log).toEqual(['none', 'joined', 'fresh']);
  });

  it('follows the one before it while fresh work waits, which is one second at most', async () => {
    const { trials, log, fresh, repeat } = someTrials();
    fresh('long');
    const one = repeat('one', { isBackground: true });
    fresh();
    await pass(510);
    trials.leave(one);
    const two = repeat('two', { isBackground: true });
    await pass(10);
    expect(log).toEqual(['long', 'one none', 'one', 'two none', 'two']);
    repeat('three', { isBackground: true });
    await pass(300);
    trials.leave(two);
    expect(log.slice(5)).toEqual(['three none', 'three']);
    await pass(220);
    expect(log.slice(7)).toEqual(['three joined', 'fresh']);
  });

  it('is alone until that is reported, also if one that began later has ended', async () => {
    const { trials, log, fresh, repeat } = someTrials();
    repeat('one', { isBackground: true });
    await pass(100);
    const two = repeat('two', { isBackground: true });
    await pass(10);
    trials.leave(two);
    await pass(100);
    fresh();
    await pass(700);
    expect(log).toEqual(['one none', 'one', 'two none', 'two']);
    await pass(200);
    expect(log.slice(4)).toEqual(['one joined', 'fresh']);
  });

  it('makes trials of requests worthless that begin beside it', async () => {
    const { trials, log, fresh, repeat } = someTrials();
    const slow = repeat('slow');
    await pass(2_010);
    fresh();
    repeat('turn', { isBackground: true });
    await pass(5_010);
    trials.leave(slow);
    repeat('next');
    await pass(2_600);
    expect(log.slice(3)).toEqual(['fresh', 'turn always', 'turn', 'next always', 'next']);
  });

  it('does not wait for one that runs for long', async () => {
    const { log, fresh, repeat } = someTrials();
    repeat('one', { isBackground: true });
    await pass(1_010);
    fresh();
    await pass(10);
    repeat('two', { isBackground: true });
    await pass(1_600);
    expect(log.slice(2)).toEqual(['one joined', 'fresh', 'two none', 'two']);
  });

  describe('and that waits for an answer from outside', () => {
    /** Goes outside in its trial; `answered` ends the wait, and what follows is in the log as `back`. */
    const sendOutside = async (some: ReturnType<typeof someTrials>, name = 'delivery') => {
      const delivery = some.repeat(name, { isBackground: true });
      await pass(10);
      let answer = (): void => undefined;
      const waits = some.trials.outside(delivery, () => new Promise<void>((resolve) => (answer = resolve)));
      void waits.then(() => some.log.push(`${name} back`));
      await pass(1);
      return { delivery, answered: () => answer() };
    };

    it('lets all requests be repeated alone, one after the other, before it has its answer', async () => {
      const some = someTrials();
      await sendOutside(some);
      const requests = Array.from({ length: 25 }, (_, number) => some.repeat(`request ${number}`));
      for (const request of requests) {
        await pass(10);
        some.trials.leave(request);
      }
      const alone = requests.flatMap((_, number) => [`request ${number} none`, `request ${number}`]);
      expect(some.log).toEqual(['delivery none', 'delivery', 'delivery joined', ...alone]);
      expect(some.trials.suspectCount).toBe(1);
    });

    it('lets fresh work begin as soon as it is known where its losses are counted', async () => {
      const { trials, log, ...some } = someTrials();
      let store = (): void => undefined;
      const report = (others: number): unknown =>
        others === Others.joined ? new Promise<void>((resolve) => (store = resolve)) : undefined;
      const delivery: Repeat = { ageMs: Infinity, isBackground: true, report };
      const entered = trials.enter(delivery);
      some.fresh('early');
      await pass(10);
      await entered;
      void trials.outside(delivery, () => new Promise(() => undefined));
      await pass(10);
      expect(log).toEqual([]);
      store();
      await pass(1);
      expect(log).toEqual(['early']);
      expect(trials.enter()).toBeUndefined();
    });

    it('is told of those that come much later, before they begin', async () => {
      const some = someTrials();
      await sendOutside(some);
      await pass(8_000);
      some.fresh();
      some.repeat('request');
      await pass(1);
      expect(some.log.slice(2)).toEqual(['delivery joined', 'fresh']);
      some.trials.leave();
      await pass(10);
      expect(some.log.slice(4)).toEqual(['request none', 'request']);
    });

    it('is in a trial again behind the answer: not beside that of a request, and fresh work waits', async () => {
      const some = someTrials();
      const { delivery, answered } = await sendOutside(some);
      const request = some.repeat('request');
      await pass(10);
      answered();
      await pass(1_000);
      expect(some.log.slice(2)).toEqual(['delivery joined', 'request none', 'request']);
      some.trials.leave(request);
      await pass(10);
      expect(some.log.slice(5)).toEqual(['delivery none', 'delivery back']);
      some.fresh();
      await pass(900);
      expect(some.log).toHaveLength(7);
      some.trials.leave(delivery);
      await pass(1);
      expect(some.log.at(-1)).toBe('fresh');
      expect(some.trials.suspectCount).toBe(0);
    });

    it('lets requests begin when the first of two to enter is the last to wait', async () => {
      const some = someTrials();
      const one = some.repeat('one', { isBackground: true });
      const two = some.repeat('two', { isBackground: true });
      await pass(10);
      for (const delivery of [two, one]) {
        void some.trials.outside(delivery, () => new Promise(() => undefined));
        await pass(1);
      }
      some.repeat('request');
      await pass(20);
      expect(some.log.slice(-2)).toEqual(['request none', 'request']);
    });

    it('keeps fresh work waiting until the mark of its company is stored, even if it starts to wait meanwhile', async () => {
      const { trials, log, ...some } = someTrials();
      let store = (): void => undefined;
      const report = (others: number): unknown =>
        others === Others.joined ? new Promise<void>((resolve) => (store = resolve)) : undefined;
      const delivery: Repeat = { ageMs: Infinity, isBackground: true, report };
      await Promise.all([trials.enter(delivery), pass(10)]);
      some.fresh('one');
      await pass(1_100);
      void trials.outside(delivery, () => new Promise(() => undefined));
      await pass(10);
      some.fresh('another');
      await pass(10);
      expect(log).toEqual([]);
      store();
      await pass(1);
      expect(log).toEqual(['one', 'another']);
    });

    it('is no company to others of the background, which stay alone', async () => {
      const some = someTrials();
      const one = await sendOutside(some, 'one');
      const two = some.repeat('two', { isBackground: true });
      some.fresh();
      await pass(10);
      expect(some.log).toEqual(['one none', 'one', 'two none', 'two']);
      some.trials.leave(two);
      await pass(10);
      expect(some.log.slice(4)).toEqual(['one joined', 'fresh']);
      one.answered();
      some.trials.leave();
      await pass(600);
      expect(some.log.slice(6)).toEqual(['one none', 'one back']);
    });
  });

  it('does not hinder trials for ever', async () => {
    const { log, fresh, repeat } = someTrials();
    repeat('turn', { isBackground: true });
    await pass(2_100);
    fresh();
    await pass(28_000);
    repeat('request');
    await pass(600);
    expect(log.slice(3)).toEqual(['fresh', 'request none', 'request']);
  });
});
