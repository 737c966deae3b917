import { retry } from './retry';

const PAUSES = { baseMs: 100, maxMs: 400, shouldRetry: () => true };

describe('retry', () => {
  let calls: number[];
  const failing = (times: number) => (): Promise<string> => {
    calls.push(performance.now());
    return calls.length > times ? Promise.resolve('done') : Promise.reject(new Error(`failure ${calls.length}`));
  };
  /** Lets all pauses pass, however long they are. */
  const outcomeOf = async (work: Promise<string>): Promise<string> => {
    const outcome = work.catch((error: unknown) => (error as Error).message);
    await jest.runAllTimersAsync();
    return outcome;
  };

  beforeEach(() => {
    jest.useFakeTimers();
    calls = [];
  });

  afterEach(() => {
    jest.useRealTimers();
  });

  it('repeats work until it succeeds, with growing pauses of which half is random', async () => {
    expect(await outcomeOf(retry(failing(4), { ...PAUSES, attempts: 9 }))).toBe('done');
    const pauses = calls.slice(1).map((at, index) => at - (calls[index] ?? 0));
    for (const [index, most] of [100, 200, 400, 400].entries()) {
      expect(pauses[index]).toBeGreaterThanOrEqual(most / 2);
      expect(pauses[index]).toBeLessThanOrEqual(most);
    }
  });

  it('throws the last error after so many attempts', async () => {
    expect(await outcomeOf(retry(failing(9), { ...PAUSES, attempts: 3 }))).toBe('failure 3');
    expect(calls).toHaveLength(3);
  });

  it('begins no attempt later than so many milliseconds after the first', async () => {
    const beganAt = performance.now();
    expect(await outcomeOf(retry(failing(99), { ...PAUSES, withinMs: 1_000 }))).toMatch(/^failure/);
    expect(Math.max(...calls) - beganAt).toBeLessThanOrEqual(1_000);
    expect(calls.length).toBeGreaterThan(3);
    expect(calls.length).toBeLessThan(9);
  });

  it('throws at once an error that is not worth another attempt', async () => {
    const seen: unknown[] = [];
    const shouldRetry = (error: unknown, attempt: number): Promise<boolean> => {
      seen.push([(error as Error).message, attempt]);
      return Promise.resolve(attempt < 2);
    };
    expect(await outcomeOf(retry(failing(9), { ...PAUSES, attempts: 9, shouldRetry }))).toBe('failure 2');
    expect(seen).toEqual([
      ['failure 1', 1],
      ['failure 2', 2],
    ]);
  });

  it('ends when the signal fires, in a pause or during an attempt', async () => {
    const stop = new AbortController();
    const work = retry(failing(9), { ...PAUSES, attempts: 9, signal: stop.signal });
    const outcome = work.catch((error: unknown) => (error as Error).message);
    await jest.advanceTimersByTimeAsync(0);
    stop.abort();
    expect(await outcome).toBe('failure 1');
    expect(await outcomeOf(retry(failing(9), { ...PAUSES, attempts: 9, signal: stop.signal }))).toBe('failure 2');
    expect(calls).toHaveLength(2);
  });
});
