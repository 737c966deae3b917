import { ThrottledBatch } from './throttled-batch';

describe('a throttled batch', () => {
  let windowMs: number;
  let out: string[][];
  let batch: ThrottledBatch<string>;

  beforeEach(() => {
    jest.useFakeTimers();
    windowMs = 20;
    out = [];
    batch = new ThrottledBatch(
      () => windowMs,
      (items) => {
        out.push([...items]);
      },
    );
  });

  afterEach(() => {
    jest.useRealTimers();
  });

  it('is sent at once when idle, after the rest of this turn of the event loop', () => {
    batch.add('a');
    batch.add('b');
    expect(out).toEqual([]);
    jest.advanceTimersByTime(0);
    expect(out).toEqual([['a', 'b']]);
  });

  it('waits for the window after the last time, and goes out once however often it was added', () => {
    batch.add('a');
    jest.advanceTimersByTime(5);
    for (const item of ['a', 'b', 'a']) batch.add(item);
    jest.advanceTimersByTime(14);
    expect(out).toEqual([['a']]);
    jest.advanceTimersByTime(2);
    expect(out).toEqual([['a'], ['a', 'b']]);
  });

  it('reads the window before each batch', () => {
    batch.add('a');
    jest.advanceTimersByTime(1);
    windowMs = 0;
    batch.add('b');
    jest.advanceTimersByTime(0);
    expect(out).toEqual([['a'], ['b']]);
  });

  it('waits for the batch that is being sent', async () => {
    let arrive = (): void => undefined;
    const batch = new ThrottledBatch<string>(
      () => windowMs,
      (items) => {
        out.push([...items]);
        return out.length > 1 ? undefined : new Promise<void>((resolve) => (arrive = resolve));
      },
    );
    batch.add('a');
    jest.advanceTimersByTime(0);
    batch.add('b');
    jest.advanceTimersByTime(1_000);
    expect(out).toEqual([['a']]);
    arrive();
    await jest.advanceTimersByTimeAsync(1);
    expect(out).toEqual([['a'], ['b']]);
  });

  it('leaves items that are added meanwhile to the next batch', () => {
    const again = new ThrottledBatch<string>(
      () => windowMs,
      (items) => {
        out.push([...items]);
        if (out.length < 3) again.add('c');
      },
    );
    again.add('a');
    jest.advanceTimersByTime(100);
    expect(out).toEqual([['a'], ['c'], ['c']]);
  });
});
