import { randomBytes } from 'node:crypto';
import { type ExtraGateway, startGateway, usePlatform } from '@switchyard/testing';

const platform = usePlatform();

describe('clients behind a proxy', () => {
  let gateway: ExtraGateway;

  beforeAll(async () => {
    gateway = await startGateway(platform, { TRUSTED_PROXIES: '1' });
  }, 200_000);

  afterAll(() => gateway.stop());

  it.each([
    ['IPv6 are counted by their /64', (n: number) => `2001:db8:0:7:${n}::1`, '2001:db8:0:8:1::1'],
    ['IPv4 are counted by their address', (n: number) => `${n % 2 ? '::ffff:' : ''}203.0.113.7`, '203.0.113.8'],
  ])('with %s: for guesses of a password, and for requests without a credential', async (_what, address, other) => {
    const { owner } = await platform.newSpace();
    const { email } = owner.identity;
    const guessFrom = (client: string): ReturnType<typeof owner.post> =>
      gateway.anonymous.post(
        '/auth/login',
        { email, password: 'not the password' },
        { headers: { 'x-forwarded-for': client } },
      );
    const replies = [];
    for (let n = 1; n <= 6; n += 1) replies.push(await guessFrom(address(n)));
    expect(replies.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401, 429]);
    const remaining = replies.map(({ headers }) => Number(headers['ratelimit-remaining']));
    expect((remaining[0] ?? 0) - (remaining[5] ?? 0)).toBeGreaterThanOrEqual(5);
    expect((await guessFrom(other)).status).toBe(401);
  });

  it('may try ten wrong reset tokens a minute, and a short password costs none of them', async () => {
    const tryFrom = async (client: string, password = 'long enough for anybody'): Promise<number> => {
      const headers = { 'x-forwarded-for': client };
      const body = { token: randomBytes(32).toString('base64url'), password };
      return (await gateway.anonymous.post('/auth/password/reset', body, { headers })).status;
    };
    const statuses: number[] = [await tryFrom('203.0.113.20', 'short')];
    for (let n = 1; n <= 11; n += 1) statuses.push(await tryFrom('203.0.113.20'));
    expect(statuses).toEqual([400, ...Array<number>(10).fill(404), 429]);
    expect(await tryFrom('203.0.113.21')).toBe(404);
  });
});
