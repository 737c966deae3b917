import { Others } from '../transport/interrupted-calls';
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
    repeat: (name: string, ageMs = Infinity): Repeat => {
      const report = (others: number): void => void log.push(`${name} ${Object.keys(Others)[others]}`);
      const repeat = { ageMs, report };
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
    repeat('slow', 999);
    await pass(100);
    expect(log).toEqual(['slow always', 'slow']);
    trials.replicaStarted();
    repeat('bad', 500);
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
