import { Logger, RedisCache } from '@switchyard/service';
import { FailedAttemptLimiter } from './failed-attempt-limiter';

/** Nothing listens there, so only the count of this process remains. */
const AWAY = 'redis://127.0.0.1:1';

describe('attempts of the last minute, without Redis', () => {
  let now = 1_800_000_000_000;
  const clock = { now: () => new Date(now) };
  let redis: RedisCache;
  let window: FailedAttemptLimiter;

  beforeEach(async () => {
    redis = await RedisCache.at(AWAY, new Logger('key', 'silent'));
    window = new FailedAttemptLimiter(redis, clock);
  });

  afterEach(() => redis.close());

  it('are counted by area and name', async () => {
    await window.record('login', 'ada');
    expect((await window.record('login', 'ada')).attempts).toBe(2);
    expect((await window.count('login', 'ada')).attempts).toBe(2);
    expect((await window.count('login', 'bob')).attempts).toBe(0);
    expect((await window.count('validate', 'ada')).attempts).toBe(0);
  });

  it('are forgotten one by one, a minute after each', async () => {
    await window.record('login', 'ada');
    now += 40_000;
    expect(await window.record('login', 'ada')).toEqual({ attempts: 2, retryAfterSeconds: 20 });
    now += 20_000;
    expect(await window.count('login', 'ada')).toEqual({ attempts: 1, retryAfterSeconds: 40 });
    now += 40_000;
    expect((await window.count('login', 'ada')).attempts).toBe(0);
  });

  it('do not let a flood of names grow the process', async () => {
    await window.record('login', 'first');
    for (let i = 0; i < 10_000; i += 1) await window.record('login', `name ${i}`);
    expect((await window.count('login', 'first')).attempts).toBe(0);
    expect((await window.count('login', 'name 9999')).attempts).toBe(1);
  });
});
