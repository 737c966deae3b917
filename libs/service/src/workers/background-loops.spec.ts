import type { Polled } from '@switchyard/concurrency';
import type { Logger } from '../logger';
import { Workers } from './background-loops';

const logger = { warn: jest.fn() } as unknown as Logger;

describe('a loop that looks for work', () => {
  let workers: Workers;
  let looks: number;
  let found: Polled;
  let wake: () => void;

  beforeEach(() => {
    jest.useFakeTimers();
    looks = 0;
    found = false;
    workers = new Workers(logger);
    wake = workers.poll('look', 1_000, () => {
      looks += 1;
      return Promise.resolve(found);
    });
    workers.start();
  });

  afterEach(async () => {
    await workers.stop(0).catch(() => undefined);
    jest.useRealTimers();
  });

  const looksWithin = async (ms: number): Promise<number> => {
    const before = looks;
    await jest.advanceTimersByTimeAsync(ms);
    return looks - before;
  };

  it('looks less often when it has found nothing for a while', async () => {
    expect(await looksWithin(8_000)).toBeGreaterThanOrEqual(7);
    await looksWithin(10_000);
    expect(await looksWithin(60_000)).toBe(12);
  });

  it('looks at once when it is woken, and goes on as often as at first', async () => {
    await looksWithin(60_000);
    wake();
    expect(await looksWithin(1)).toBe(1);
    expect(await looksWithin(8_000)).toBeGreaterThanOrEqual(7);
  });

  it('stays attentive where something may come at any time', async () => {
    found = 'soon';
    await looksWithin(60_000);
    expect(await looksWithin(10_000)).toBe(10);
  });
});

describe('a loop with a poller', () => {
  let workers: Workers;
  let looks: number;
  let found: Polled;
  let watching: (() => void) | undefined;

  const begin = (intervalMs: number): (() => void) => {
    const poller = {
      watch: (wake: () => void) => {
        watching = wake;
        return () => {
          watching = undefined;
        };
      },
    };
    const look = (): Promise<Polled> => {
      looks += 1;
      return Promise.resolve(found);
    };
    const wake = workers.poll('look', intervalMs, look, poller);
    workers.start();
    return wake;
  };

  const looksWithin = async (ms: number): Promise<number> => {
    const before = looks;
    await jest.advanceTimersByTimeAsync(ms);
    return looks - before;
  };

  beforeEach(() => {
    jest.useFakeTimers();
    [looks, found, watching] = [0, false, undefined];
    workers = new Workers(logger);
  });

  afterEach(async () => {
    await workers.stop(0).catch(() => undefined);
    jest.useRealTimers();
  });

  it('waits for its poller when it is idle', async () => {
    begin(1_000);
    await looksWithin(20_000);
    expect(watching).toBeDefined();
    expect(await looksWithin(600_000)).toBe(0);
  });

  it('polls when its poller has found something, and stays idle otherwise', async () => {
    begin(1_000);
    await looksWithin(20_000);
    watching?.();
    expect(await looksWithin(1)).toBe(1);
    expect(watching).toBeDefined();
    expect(await looksWithin(5_000)).toBe(0);
  });

  it('goes on as often as at first where there was something', async () => {
    begin(1_000);
    await looksWithin(20_000);
    found = 'soon';
    watching?.();
    expect(await looksWithin(8_000)).toBeGreaterThanOrEqual(7);
    expect(watching).toBeUndefined();
  });

  it('is woken as before, and ends at once', async () => {
    const wake = begin(1_000);
    await looksWithin(20_000);
    wake();
    expect(await looksWithin(1)).toBe(1);
    await looksWithin(20_000);
    await workers.stop(0);
    expect(watching).toBeUndefined();
  });

  it('leaves polling to a poller that polls as often', async () => {
    begin(5_000);
    await looksWithin(100);
    expect(watching).toBeDefined();
  });
});

describe('a loop that is needed while there is something to look after', () => {
  let workers: Workers;
  let looks: number;
  let remaining: number;
  let begin: () => void;

  beforeEach(() => {
    jest.useFakeTimers();
    looks = 0;
    remaining = 0;
    workers = new Workers(logger);
    begin = workers.whileNeeded('look after something', 1_000, () => {
      looks += 1;
      remaining -= 1;
      return remaining < 0 ? Promise.reject(new Error('nothing was there')) : Promise.resolve(remaining > 0);
    });
  });

  afterEach(async () => {
    await workers.stop(0).catch(() => undefined);
    jest.useRealTimers();
  });

  it('begins when it is told to, ends with what it looks after, and begins again', async () => {
    workers.start();
    await jest.advanceTimersByTimeAsync(60_000);
    expect(looks).toBe(0);
    remaining = 3;
    begin();
    begin();
    await jest.advanceTimersByTimeAsync(60_000);
    expect(looks).toBe(3);
    remaining = 1;
    begin();
    await jest.advanceTimersByTimeAsync(60_000);
    expect(looks).toBe(4);
  });

  it('runs when it was told to before it was started', async () => {
    remaining = 1;
    begin();
    workers.start();
    await jest.advanceTimersByTimeAsync(2_000);
    expect(looks).toBe(1);
  });

  it('goes on after a round that failed: what is there could not be seen', async () => {
    workers.start();
    begin();
    await jest.advanceTimersByTimeAsync(10_000);
    expect(looks).toBeGreaterThan(2);
    remaining = 1;
    await jest.advanceTimersByTimeAsync(5_000);
    const before = looks;
    await jest.advanceTimersByTimeAsync(60_000);
    expect(looks).toBe(before);
  });

  it('ends while nothing is there to look after', async () => {
    workers.start();
    const stopped = workers.stop(10_000);
    await jest.advanceTimersByTimeAsync(1);
    await stopped;
    begin();
    await jest.advanceTimersByTimeAsync(60_000);
    expect(looks).toBe(0);
  });
});
