import { SpaceRoundRobin } from './space-round-robin';

const IDS = ['a', 'b', 'c', 'd', 'e'];
const { signal } = new AbortController();
const roundOf = (work: (id: string) => Promise<boolean>, isDue = (_: string) => true) =>
  new SpaceRoundRobin(
    2,
    (after, limit) =>
      Promise.resolve(
        IDS.filter((id) => id > after)
          .slice(0, limit)
          .map((id) => ({ id, isDue: isDue(id) })),
      ),
    work,
  );

describe('a round through the Spaces', () => {
  let seen: string[];
  const note = (id: string): Promise<boolean> => Promise.resolve(seen.push(id) < 0);

  beforeEach(() => {
    seen = [];
  });

  it('takes them in order, some at a time, and begins again when it is over', async () => {
    const round = roundOf(note, (id) => id !== 'b');
    expect([await round.next(signal), await round.next(signal), await round.next(signal)]).toEqual([true, true, false]);
    expect(seen).toEqual(['a', 'c', 'd', 'e']);
    await round.next(signal);
    expect(seen.at(-1)).toBe('a');
  });

  it('leaves out a Space that fails, and tells it at the end', async () => {
    const round = roundOf((id) => (id === 'a' ? Promise.reject(new Error('of this Space')) : note(id)));
    expect([await round.next(signal), await round.next(signal)]).toEqual([true, true]);
    await expect(round.next(signal)).rejects.toThrow('the work of Space a failed');
    expect(seen).toEqual(['b', 'c', 'd', 'e']);
  });

  it('goes on with the others where a Space has much to do, and with that one in a round that begins at once', async () => {
    let remaining = 30;
    const round = roundOf(async (id) => {
      await note(id);
      return id === 'b' && (remaining -= 1) > 0;
    });
    expect([await round.next(signal), await round.next(signal), await round.next(signal)]).toEqual([true, true, true]);
    expect(seen.filter((id) => id === 'b')).toHaveLength(20);
    expect(seen.slice(-3)).toEqual(['c', 'd', 'e']);
    expect([await round.next(signal), await round.next(signal), await round.next(signal)]).toEqual([true, true, false]);
    expect(seen.filter((id) => id === 'b')).toHaveLength(30);
  });

  it('goes on at once where a Space has much to do and another fails, and tells the failure when all is done', async () => {
    let remaining = 30;
    const round = roundOf((id) =>
      id === 'a' ? Promise.reject(new Error('of this Space')) : Promise.resolve(id === 'b' && (remaining -= 1) > 0),
    );
    for (let step = 0; step < 5; step += 1) expect(await round.next(signal)).toBe(true);
    await expect(round.next(signal)).rejects.toThrow('the work of Space a failed');
    expect(remaining).toBe(0);
  });

  it('ends in the middle of a Space when the process does', async () => {
    const ending = new AbortController();
    const round = roundOf(async (id) => {
      await note(id);
      if (seen.length === 3) ending.abort();
      return true;
    });
    expect(await round.next(ending.signal)).toBe(false);
    expect(seen).toEqual(['a', 'a', 'a']);
  });
});
