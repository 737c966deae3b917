import { SharedLoads } from './shared-loads';

describe('loads that many wait for', () => {
  it('are done once for all who asked before they began, and again for those who came later', async () => {
    const loads = new SharedLoads<number>();
    const ends: (() => void)[] = [];
    let reads = 0;
    const read = (): Promise<number> => {
      const mine = (reads += 1);
      return new Promise((resolve) =>
        ends.push(() => {
          resolve(mine);
        }),
      );
    };
    const first = loads.load('a', read);
    const later = [loads.load('a', read), loads.load('a', read)];
    expect(reads).toBe(1);
    ends[0]?.();
    expect(await first).toBe(1);
    await Promise.resolve();
    ends[1]?.();
    expect(await Promise.all(later)).toEqual([2, 2]);
    expect(reads).toBe(2);
  });

  it('pass a failure on, and begin anew after it', async () => {
    const loads = new SharedLoads<number>();
    await expect(loads.load('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await loads.load('a', () => Promise.resolve(5))).toBe(5);
  });
});
