import { newId } from '@switchyard/kernel';
import type { Bus, UnansweredCall } from '@switchyard/messaging';
import { Logger, RedisCache } from '@switchyard/service';
import { until, usePlatform } from '@switchyard/testing';
import { UnansweredCalls } from '../src/server/unanswered-calls';

const platform = usePlatform();
const caches: RedisCache[] = [];
afterAll(() => {
  for (const cache of caches) cache.close();
});

/** A gateway, as far as these calls go: what it finds out itself, and what it has learnt. */
async function aGateway() {
  const redis = await RedisCache.at(platform.state.redisUrl, new Logger('gateway', 'silent'));
  caches.push(redis);
  const learnt = new Map<string, UnansweredCall['silence']>();
  let findOut: (call: UnansweredCall) => void = () => undefined;
  const bus = {
    onUnanswered: (listener: typeof findOut) => (findOut = listener),
    learnUnanswered: ({ work, silence }: UnansweredCall) => learnt.set(work, silence),
    signal: () => undefined,
  } as unknown as Bus;
  new UnansweredCalls(bus, redis).onModuleInit();
  redis.connect();
  await until(() => redis.isUp);
  return { learnt, redis, findOut: (call: UnansweredCall) => findOut(call) };
}

it('a request that got no answer is known to a gateway that starts later, for a day, or until it got one', async () => {
  const first = await aGateway();
  const [refused, answered, old] = [newId(), newId(), newId()];
  const silence = { losses: 2, unexplained: 1 };
  const stored = async () =>
    (await first.redis.client.hkeys('unanswered-calls')).filter((work) => [refused, answered].includes(work));
  first.findOut({ work: refused, silence });
  first.findOut({ work: answered, silence });
  await until(async () => (await stored()).length === 2);
  first.findOut({ work: answered, silence: null });
  await until(async () => (await stored()).length === 1);
  const at = Date.now() - 25 * 3_600_000;
  await first.redis.client.hset('unanswered-calls', old, JSON.stringify({ work: old, silence, at }));
  const { learnt } = await aGateway();
  await until(() => learnt.has(refused));
  expect([learnt.get(refused), learnt.has(answered), learnt.has(old)]).toEqual([silence, false, false]);
});
