import { RefreshingCache, type CacheOptions } from './refreshing-cache';

interface Versioned {
  version: number;
}

describe('RefreshingCache', () => {
  let now = 0;
  let loads = 0;
  const cacheOf = (more: Partial<CacheOptions<number>> = {}): RefreshingCache<number> =>
    new RefreshingCache({ renewMs: 40, freshMs: 50, staleMs: 600, now: () => now, ...more });
  const load = (): Promise<number> => Promise.resolve((loads += 1));
  const fail = (): Promise<number> => {
    loads += 1;
    return Promise.reject(new Error('unavailable'));
  };
  const rest = (): Promise<void> => new Promise(setImmediate);

  beforeEach(() => {
    now = 1_000;
    loads = 0;
  });

  it('loads a value once for all callers at a time, and then returns it without waiting', async () => {
    const cache = cacheOf();
    expect(await Promise.all([cache.get('a', load), cache.get('a', load), cache.get('b', load)])).toEqual([1, 1, 2]);
    now += 39;
    expect([cache.get('a', load), loads]).toEqual([1, 2]);
  });

  it('loads a value again before it is too old, so that frequent callers never wait', async () => {
    const cache = cacheOf();
    await cache.get('a', load);
    now += 45;
    expect([cache.get('a', load), cache.get('a', load), loads]).toEqual([1, 1, 2]);
    await rest();
    now += 39;
    expect([cache.get('a', load), loads]).toEqual([2, 2]);
  });

  it('waits for a new value when the old one is too old, counted from the begin of its load', async () => {
    const cache = cacheOf();
    const late = cache.get('a', async () => {
      now += 45;
      return load();
    });
    expect(await late).toBe(1);
    now += 5;
    expect(await cache.get('a', load)).toBe(2);
  });

  it('returns the old value for a while if loads fail, and not for ever', async () => {
    const cache = cacheOf();
    await expect(cache.get('a', fail)).rejects.toThrow('unavailable');
    await cache.get('a', load);
    now += 45;
    expect(cache.get('a', fail)).toBe(2);
    await rest();
    now += 500;
    expect(await cache.get('a', fail)).toBe(2);
    now += 60;
    await expect(cache.get('a', fail)).rejects.toThrow('unavailable');
  });

  it('loads everything again after expireAll, and returns the old values until a load succeeds', async () => {
    const cache = cacheOf();
    await cache.get('a', load);
    cache.expireAll();
    now += 1;
    expect(await cache.get('a', fail)).toBe(1);
    expect(await cache.get('a', load)).toBe(3);
    expect([cache.get('a', load), loads]).toEqual([3, 3]);
  });

  it('loads one value again after expire, and returns the old one if that fails', async () => {
    const cache = cacheOf();
    await Promise.all([cache.get('a', load), cache.get('b', load)]);
    cache.expire('a');
    expect(await cache.get('a', fail)).toBe(1);
    expect(cache.peek('a')).toBe(1);
    expect(await cache.get('a', load)).toBe(4);
    expect(cache.get('b', load)).toBe(2);
  });

  it('does not store a load that began before expire', async () => {
    const cache = cacheOf();
    await cache.get('a', load);
    now += 45;
    const renewed = cache.get('a', load);
    cache.expire('a');
    expect(renewed).toBe(1);
    await rest();
    expect(await cache.get('a', load)).toBe(3);
  });

  it('says to a load whether there is an older value that counts if it fails', async () => {
    const older: boolean[] = [];
    const cache = cacheOf();
    const note = (hasOlder: boolean): Promise<number> => {
      older.push(hasOlder);
      return load();
    };
    await cache.get('a', note);
    now += 60;
    await cache.get('a', note);
    now += 700;
    await cache.get('a', note);
    expect(older).toEqual([false, true, false]);
  });

  it('loads again after delete, also if a load was under way', async () => {
    const cache = cacheOf();
    const before = cache.get('a', load);
    cache.delete('a');
    const after = cache.get('a', load);
    expect([await before, await after]).toEqual([1, 2]);
    expect(cache.get('a', load)).toBe(2);
    cache.delete('a');
    expect(await cache.get('a', load)).toBe(3);
    // Another key is no concern of it.
    const other = cache.get('b', load);
    cache.delete('a');
    await other;
    expect([cache.get('b', load), loads]).toEqual([4, 4]);
  });

  it('does not return a value that was deleted while its load was failing', async () => {
    const cache = cacheOf();
    await cache.get('a', load);
    now += 60;
    const waiting = cache.get('a', fail);
    cache.delete('a');
    await expect(waiting).rejects.toThrow('unavailable');
  });

  it('loads everything again after clear, also what was under way', async () => {
    const cache = cacheOf();
    await cache.get('a', load);
    const before = cache.get('b', load);
    cache.clear();
    expect([await before, await cache.get('a', load), await cache.get('b', load)]).toEqual([2, 3, 4]);
  });

  it('begins no load right after one that failed, if it is made so', async () => {
    const cache = cacheOf({ retryAfterMs: 10 });
    await expect(cache.get('a', fail)).rejects.toThrow('unavailable');
    await expect(cache.get('a', load)).rejects.toThrow('unavailable');
    expect(loads).toBe(1);
    now += 10;
    expect(await cache.get('a', load)).toBe(2);
    now += 60;
    expect(await cache.get('a', fail)).toBe(2);
    expect([cache.get('a', load), loads]).toEqual([2, 3]);
    cache.delete('a');
    expect(await cache.get('a', load)).toBe(4);
  });

  it('goes on with a value that was set as expired, until a load succeeds', async () => {
    const cache = cacheOf();
    cache.setExpired('a', 7);
    expect(await cache.get('a', fail)).toBe(7);
    expect(await cache.get('a', load)).toBe(2);
  });

  it('does not store that there was nothing, and looks once more for callers that came during such a load', async () => {
    const cache = new RefreshingCache<Versioned, null>({ freshMs: 50, now: () => now });
    const found: (Versioned | null)[] = [null, { version: 2 }];
    const find = (): Promise<Versioned | null> => Promise.resolve(found.shift() ?? null);
    const [first, second] = await Promise.all([cache.get('a', find), cache.get('a', find)]);
    expect([first, second]).toEqual([null, { version: 2 }]);
    expect(cache.get('a', find)).toEqual({ version: 2 });
  });

  it('stores no more than fits into its bytes', async () => {
    const cache = new RefreshingCache<{ prompt: string }>({ freshMs: 1_000_000, maxBytes: 10 * 1024 * 1024 });
    let reads = 0;
    const read = (): Promise<{ prompt: string }> => {
      reads += 1;
      return Promise.resolve({ prompt: 'x'.repeat(1024 * 1024) });
    };
    for (let index = 0; index < 12; index += 1) await cache.get(`agent ${index}`, read);
    await cache.get('agent 11', read);
    expect([reads, cache.bytes > 8 * 1024 * 1024, cache.bytes <= 10 * 1024 * 1024]).toEqual([12, true, true]);
    await cache.get('agent 0', read);
    expect(reads).toBe(13);
  });

  it('weighs a value as it is told', async () => {
    const cache = new RefreshingCache<{ length: number }>({
      freshMs: 1_000_000,
      maxBytes: 2_000,
      bytesOf: ({ length }) => length,
    });
    await cache.get('small', () => Promise.resolve({ length: 500 }));
    await cache.get('large', () => Promise.resolve({ length: 3_000 }));
    expect([cache.peek('small'), cache.peek('large')]).toEqual([{ length: 500 }, undefined]);
  });
});
