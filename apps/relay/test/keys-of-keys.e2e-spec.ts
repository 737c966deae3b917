import { type Client, type Reply, type TestSpace, avoidMidnight, until, usePlatform } from '@switchyard/testing';
import { ask } from './support/money';

const platform = usePlatform();
const SMALL = { max_tokens: 30 };
const PROMPT = '@@usage 10 10\n@@reply hello';

describe('a key that a key has made', () => {
  let space: TestSpace;
  beforeAll(async () => {
    space = await platform.newSpace();
  });

  const idOf = (key: Client): string => key.identity.keyId ?? '';
  const used = async (key: Client): Promise<{ used: number; reserved: number }> =>
    (await space.owner.get(`/api-keys/${idOf(key)}/usage`)).body.data.dailyTokens;
  const makes = (maker: Client, limits?: object): Promise<Client> =>
    space.key({ name: 'made', ...(limits ? { limits } : {}) }, maker);
  const expectRefused = (reply: Reply): void => {
    expect([reply.status, reply.body.code]).toEqual([429, 'DAILY_LIMIT_EXCEEDED']);
    expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0);
  };

  it('counts in the limits and the usage of its maker, and so on up the chain', async () => {
    await avoidMidnight();
    const first = await space.key({ limits: { dailyTokens: 50 } });
    const second = await makes(first);
    const third = await makes(second);
    for (const key of [first, second, third]) expect((await ask(key, PROMPT, SMALL)).status).toBe(200);
    await until(async () => (await used(first)).used === 60);
    expect([(await used(second)).used, (await used(third)).used]).toEqual([40, 20]);
    for (const key of [first, second, third, await makes(first), await makes(third)])
      expectRefused(await ask(key, PROMPT, SMALL));
  });

  it('counts there also when it is revoked, and however many of them there are', async () => {
    await avoidMidnight();
    const maker = await space.key({ limits: { dailyTokens: 30 } });
    for (let round = 0; round < 2; round += 1) {
      const made = await makes(maker);
      expect((await ask(made, PROMPT, SMALL)).status).toBe(200);
      await until(async () => (await used(maker)).reserved === 0);
      expect((await maker.post(`/api-keys/${idOf(made)}/revoke`, {})).status).toBe(200);
    }
    expect((await used(maker)).used).toBe(40);
    expectRefused(await ask(await makes(maker), PROMPT, SMALL));
    expectRefused(await ask(maker, PROMPT, SMALL));
  });

  it('does not get more out of its maker by calls at the same time', async () => {
    await avoidMidnight();
    const maker = await space.key({ limits: { dailyTokens: 1 } });
    const made = await Promise.all(Array.from({ length: 6 }, () => makes(maker)));
    const replies = await Promise.all(made.map((key) => ask(key, PROMPT, SMALL)));
    expect(replies.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
    for (const reply of replies.filter(({ status }) => status !== 200)) expectRefused(reply);
  });

  it('has limits of its own beside those of its maker', async () => {
    await avoidMidnight();
    const maker = await space.key({ limits: { dailyTokens: 1_000 } });
    const made = await makes(maker, { dailyTokens: 15 });
    expect((await ask(made, PROMPT, SMALL)).status).toBe(200);
    await until(async () => (await used(made)).used === 20);
    expectRefused(await ask(made, PROMPT, SMALL));
    expect((await ask(maker, PROMPT, SMALL)).status).toBe(200);
  });

  it('counts for a maker without limits, which is held to what it gets later', async () => {
    await avoidMidnight();
    const maker = await space.key();
    const made = await makes(maker);
    expect((await ask(made, PROMPT, SMALL)).status).toBe(200);
    await until(async () => (await used(maker)).used === 20);
    expect((await space.owner.put(`/api-keys/${idOf(maker)}`, { limits: { dailyTokens: 10 } })).status).toBe(200);
    expectRefused(
      await until(async () => {
        const reply = await ask(maker, PROMPT, SMALL);
        return reply.status === 429 ? reply : null;
      }),
    );
  });

  it('takes its requests from those of its maker', async () => {
    const maker = await space.key({ limits: { requestsPerMinute: 6 } });
    const made = await makes(maker);
    const statuses: number[] = [];
    for (let request = 0; request < 8; request += 1) statuses.push((await made.get('/auth/me')).status);
    expect(statuses.at(-1)).toBe(429);
    expect((await maker.get('/auth/me')).status).toBe(429);
  });
});
