import type { Polled } from '@switchyard/kernel';
import type { Logger } from '../logger';
import { Workers } from './workers';

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
