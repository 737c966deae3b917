import { Gathering } from './gathering';

describe('what goes out together', () => {
  let windowMs: number;
  let out: string[][];
  let gathering: Gathering<string>;

  beforeEach(() => {
    jest.useFakeTimers();
    windowMs = 20;
    out = [];
    gathering = new Gathering(
      () => windowMs,
      (items) => {
        out.push([...items]);
      },
    );
  });

  afterEach(() => {
    jest.useRealTimers();
  });

  it('does so at once where it is quiet, behind what this turn of the event loop still does', () => {
    gathering.add('a');
    gathering.add('b');
    expect(out).toEqual([]);
    jest.advanceTimersByTime(0);
    expect(out).toEqual([['a', 'b']]);
  });

  it('waits for the window after the last time, and goes out once however often it was added', () => {
    gathering.add('a');
    jest.advanceTimersByTime(5);
    for (const item of ['a', 'b', 'a']) gathering.add(item);
    jest.advanceTimersByTime(14);
    expect(out).toEqual([['a']]);
    jest.advanceTimersByTime(2);
    expect(out).toEqual([['a'], ['a', 'b']]);
  });

  it('asks for the window each time', () => {
    gathering.add('a');
    jest.advanceTimersByTime(1);
    windowMs = 0;
    gathering.add('b');
    jest.advanceTimersByTime(0);
    expect(out).toEqual([['a'], ['b']]);
  });

  it('waits for what is still on its way, and goes on behind it', async () => {
    let arrive = (): void => undefined;
    const held = new Gathering<string>(
      () => windowMs,
      (items) => {
        out.push([...items]);
        return out.length > 1 ? undefined : new Promise<void>((resolve) => (arrive = resolve));
      },
    );
    held.add('a');
    jest.advanceTimersByTime(0);
    held.add('b');
    jest.advanceTimersByTime(1_000);
    expect(out).toEqual([['a']]);
    arrive();
    await jest.advanceTimersByTimeAsync(1);
    expect(out).toEqual([['a'], ['b']]);
  });

  it('takes what is added meanwhile to the next time', () => {
    const again = new Gathering<string>(
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
