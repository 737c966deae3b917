import { newId } from '@switchyard/kernel';
import type { Bus, InterruptedCall } from '@switchyard/messaging';
import { Logger, RedisCache } from '@switchyard/service';
import { until, usePlatform } from '@switchyard/testing';
import { InterruptedCallStore } from '../src/server/interrupted-call-store';

const platform = usePlatform();
const caches: RedisCache[] = [];
afterAll(() => {
  for (const cache of caches) cache.close();
});

/** A gateway, as far as these calls go: what it finds out itself, and what it has learnt. */
async function aGateway() {
  const redis = await RedisCache.at(platform.state.redisUrl, new Logger('gateway', 'silent'));
  caches.push(redis);
  const learnt = new Map<string, InterruptedCall['silence']>();
  let findOut: (call: InterruptedCall) => void = () => undefined;
  let waitAlone: (work: string, limitMs: number) => Promise<() => void> = () => Promise.reject(new Error('not given'));
  const bus = {
    onUnanswered: (listener: typeof findOut) => (findOut = listener),
    learnUnanswered: ({ work, silence }: InterruptedCall) => learnt.set(work, silence),
    signal: () => undefined,
    waitForReplicas: (alone: typeof waitAlone) => (waitAlone = alone),
  } as unknown as Bus;
  new InterruptedCallStore(bus, redis).onModuleInit();
  redis.connect();
  await until(() => redis.isUp);
  const alone = (work: string, limitMs: number): Promise<() => void> => waitAlone(work, limitMs);
  return { learnt, redis, findOut: (call: InterruptedCall) => findOut(call), alone };
}

it('a request that got no answer is known to a gateway that starts later, for a day, or until it got one', async () => {
  const first = await aGateway();
  const [refused, answered, old] = [newId(), newId(), newId()];
  const silence = { losses: 2, unexplained: 1, deaths: [] };
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

it('an answer is not overtaken by the silence before it, and a gateway starts others an unreadable entry', async () => {
  const first = await aGateway();
  const [answered, later, unreadable, shapeless, listless] = [newId(), newId(), newId(), newId(), newId()];
  const { client } = first.redis;
  first.findOut({ work: answered, silence: { losses: 1, unexplained: 0, deaths: [] } });
  first.findOut({ work: answered, silence: null });
  first.findOut({ work: later, silence: { losses: 2, unexplained: 0, deaths: [] } });
  await until(async () => (await client.hexists('unanswered-calls', later)) === 1);
  expect(await client.hexists('unanswered-calls', answered)).toBe(0);
  const unread = { [unreadable]: '{', [shapeless]: 'null', [listless]: `{"at":${Date.now()},"silence":{"losses":1}}` };
  await client.hset('unanswered-calls', unread);
  const { learnt } = await aGateway();
  await until(async () =>
    (await client.hmget('unanswered-calls', ...Object.keys(unread))).every((text) => text === null),
  );
  await until(() => learnt.has(later));
  expect(Object.keys(unread).filter((work) => learnt.has(work))).toEqual([]);
});

it('a full store takes changes of its entries, and entries end one by one', async () => {
  const first = await aGateway();
  const { client } = first.redis;
  const [present, fresh, after] = [newId(), newId(), newId()];
  const fillers = Array.from({ length: 10_000 }, newId);
  const lossesOf = async (work: string): Promise<number | undefined> => {
    const text = await client.hget('unanswered-calls', work);
    return text === null ? undefined : (JSON.parse(text) as { silence: { losses: number } }).silence.losses;
  };
  first.findOut({ work: present, silence: { losses: 1, unexplained: 0, deaths: [] } });
  await until(async () => (await lossesOf(present)) === 1);
  await client.hset('unanswered-calls', Object.fromEntries(fillers.map((work) => [work, '{}'])));
  first.findOut({ work: fresh, silence: { losses: 1, unexplained: 0, deaths: [] } });
  first.findOut({ work: present, silence: { losses: 2, unexplained: 0, deaths: [] } });
  await until(async () => (await lossesOf(present)) === 2);
  expect(await lossesOf(fresh)).toBeUndefined();
  await client.zadd('unanswered-calls.ends', ...fillers.flatMap((work) => [1, work]));
  first.findOut({ work: after, silence: { losses: 1, unexplained: 0, deaths: [] } });
  await until(async () => (await lossesOf(after)) === 1);
  await client.del('unanswered-calls', 'unanswered-calls.ends');
});

it('the same request is repeated at one gateway at a time, which knows then how it ended at the other one', async () => {
  const [first, second] = [await aGateway(), await aGateway()];
  const [work, another] = [newId(), newId()];
  const leave = await first.alone(work, 60_000);
  (await second.alone(another, 60_000))();
  let isAlone = false;
  const waits = second.alone(work, 300).then((end) => {
    isAlone = true;
    return end;
  });
  await first.redis.client.ping();
  expect(isAlone).toBe(false);
  const silence = { losses: 2, unexplained: 0, deaths: [] };
  first.findOut({ work, silence });
  leave();
  const leaveLate = await waits;
  expect(second.learnt.get(work)).toEqual(silence);
  const end = await first.alone(work, 60_000);
  // Its time was over: this is not its turn any more.
  leaveLate();
  const key = `unanswered-calls.alone.${work}`;
  expect(await first.redis.client.exists(key)).toBe(1);
  end();
  await until(async () => (await first.redis.client.exists(key)) === 0);
  first.findOut({ work, silence: null });
  await until(async () => (await first.redis.client.hexists('unanswered-calls', work)) === 0);
  first.redis.close();
  (await first.alone(work, 60_000))();
});
