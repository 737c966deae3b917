import { PausableTimeout } from './pausable-timeout';

describe('a time limit that can stand still', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('is over after its time, without the time of the work that does not count', async () => {
    const pausableTimeout = new PausableTimeout(1_000);
    await jest.advanceTimersByTimeAsync(600);
    let finish = (): void => undefined;
    const waiting = pausableTimeout.without(() => new Promise<void>((resolve) => (finish = resolve)));
    await jest.advanceTimersByTimeAsync(60_000);
    expect(pausableTimeout.signal.aborted).toBe(false);
    finish();
    await waiting;
    await jest.advanceTimersByTimeAsync(399);
    expect(pausableTimeout.signal.aborted).toBe(false);
    await jest.advanceTimersByTimeAsync(1);
    expect(pausableTimeout.signal.aborted).toBe(true);
  });

  it('runs on when that work fails, and not after it was stopped', async () => {
    const pausableTimeout = new PausableTimeout(1_000);
    await expect(pausableTimeout.without(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    await jest.advanceTimersByTimeAsync(999);
    expect(pausableTimeout.signal.aborted).toBe(false);
    pausableTimeout.stop();
    await jest.advanceTimersByTimeAsync(5_000);
    expect(pausableTimeout.signal.aborted).toBe(false);
  });
});
