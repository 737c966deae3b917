import { withinGrace } from './within-grace';

describe('work within a period of grace', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  const onLate = jest.fn(() => Promise.resolve());
  beforeEach(() => {
    onLate.mockClear();
  });

  it.each([
    ['ends', undefined],
    ['fails', new Error('broken')],
  ])('that %s in time is not late afterwards', async (_, failure) => {
    const work = failure ? Promise.reject(failure) : Promise.resolve();
    const ended = withinGrace(work, 1_000, onLate);
    await (failure ? expect(ended).rejects.toBe(failure) : ended);
    await jest.advanceTimersByTimeAsync(60_000);
    expect(onLate).not.toHaveBeenCalled();
    expect(jest.getTimerCount()).toBe(0);
  });

  it('that is late is waited for no longer than until that is handled', async () => {
    const never = new Promise<void>(() => undefined);
    const ended = withinGrace(never, 1_000, onLate);
    await jest.advanceTimersByTimeAsync(999);
    expect(onLate).not.toHaveBeenCalled();
    await jest.advanceTimersByTimeAsync(1);
    await ended;
    expect(onLate).toHaveBeenCalledTimes(1);
  });
});
