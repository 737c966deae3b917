import { SpaceRound } from './space-round';

const IDS = ['a', 'b', 'c', 'd', 'e'];
const roundOf = (isDue = (_: string) => true) =>
  new SpaceRound(2, (after, limit) =>
    Promise.resolve(
      IDS.filter((id) => id > after)
        .slice(0, limit)
        .map((id) => ({ id, isDue: isDue(id) })),
    ),
  );

describe('a round through the Spaces', () => {
  it('takes them in order, some at a time, and begins again when it is over', async () => {
    const round = roundOf((id) => id !== 'b');
    const seen: string[] = [];
    const step = () => round.next((id) => Promise.resolve(seen.push(id)));
    expect([await step(), await step(), await step()]).toEqual([true, true, false]);
    expect(seen).toEqual(['a', 'c', 'd', 'e']);
    await step();
    expect(seen.at(-1)).toBe('a');
  });

  it('goes on behind a Space that fails', async () => {
    const round = roundOf();
    const seen: string[] = [];
    const step = () =>
      round.next((id) => {
        seen.push(id);
        return id === 'a' ? Promise.reject(new Error('of this Space')) : Promise.resolve();
      });
    await expect(step()).rejects.toThrow('of this Space');
    expect([await step(), await step()]).toEqual([true, true]);
    expect(seen).toEqual(['a', 'b', 'c', 'd', 'e']);
  });
});
