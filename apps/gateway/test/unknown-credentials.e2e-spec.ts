import { randomBytes } from 'node:crypto';
import { makeKeyValue } from '@switchyard/contracts';
import { type Client, type ExtraGateway, type Reply, startGateway, usePlatform } from '@switchyard/testing';

const LIMIT = 20;
const platform = usePlatform();

describe('Credentials that the gateway has never seen', () => {
  let gateway: ExtraGateway;

  beforeAll(async () => {
    gateway = await startGateway(platform, {
      TRUSTED_PROXIES: '1',
      ADDRESS_RATE_LIMIT_PER_MINUTE: String(LIMIT),
      CREDENTIAL_CACHE_MS: '0',
    });
  }, 200_000);

  afterAll(() => gateway.stop());

  const me = (client: Client, address: string): Promise<Reply> =>
    client.get('/auth/me', undefined, { headers: { 'x-forwarded-for': address } });
  const stranger = (): Client => gateway.anonymous.as(`Bearer ${makeKeyValue(randomBytes)}`);

  it('are not looked up for an address that has used up its limit, while keys that were good before go on', async () => {
    const space = await platform.newSpace();
    const [existing, fresh] = [gateway.at(await space.key()), gateway.at(await space.key())];
    expect((await me(existing, '192.0.2.120')).status).toBe(200);
    const statuses = [];
    for (let n = 0; n <= LIMIT; n += 1) statuses.push((await me(stranger(), '192.0.2.120')).status);
    expect(statuses).toEqual([...Array.from({ length: LIMIT }, () => 401), 429]);
    const refused = await me(fresh, '192.0.2.120');
    expect([refused.status, refused.headers['ratelimit-remaining']]).toEqual([429, '0']);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect((await me(existing, '192.0.2.120')).status).toBe(200);
    expect((await me(fresh, '192.0.2.121')).status).toBe(200);
    expect((await me(fresh, '192.0.2.120')).status).toBe(200);
  });

  it('are looked up side by side no more often than their address has refusals left', async () => {
    const replies = await Promise.all(Array.from({ length: 5 * LIMIT }, () => me(stranger(), '192.0.2.130')));
    const counts = [401, 429].map((expected) => replies.filter(({ status }) => status === expected).length);
    expect(counts).toEqual([LIMIT, 4 * LIMIT]);
  });

  it('are not looked up for a request that is refused before', async () => {
    const fresh = gateway.at(await (await platform.newSpace()).key());
    const from = { headers: { 'x-forwarded-for': '192.0.2.140' } };
    const nowhere = await fresh.get('/nowhere', undefined, from);
    expect([nowhere.status, nowhere.headers['ratelimit-limit']]).toEqual([404, String(LIMIT)]);
    await me(fresh, '192.0.2.140');
    expect((await fresh.get('/nowhere', undefined, from)).headers['ratelimit-limit']).toBe('600');
  });

  it('do not keep sixty fresh browsers of one address from the console', async () => {
    const { anonymous } = gateway;
    const address = { 'x-forwarded-for': '192.0.2.150' };
    const page = await anonymous.raw('GET', '/console', undefined, { headers: address });
    const [, asset = ''] = /(\/console\/assets\/[^"]+\.js)"/.exec(String(page.body)) ?? [];
    const own = { ...address, origin: anonymous.host, 'x-switchyard-console': '1' };
    const visit = async (): Promise<number[]> => {
      const replies = [
        await anonymous.raw('GET', '/console', undefined, { headers: address }),
        await anonymous.raw('GET', asset, undefined, { headers: address }),
        await anonymous.raw('POST', '/console/session/present', {}, { headers: own }),
      ];
      return replies.map(({ status }) => status);
    };
    const statuses = await Promise.all(Array.from({ length: 60 }, visit));
    expect(statuses.flat().filter((status) => status !== 200)).toEqual([]);
  });
});

describe('What the console loads before anybody has signed in', () => {
  it('does not count to the limit of its address', async () => {
    const page = await platform.anonymous.raw('GET', '/console');
    expect([page.status, page.headers['ratelimit-limit']]).toEqual([200, undefined]);
    const [, asset = ''] = /(\/console\/assets\/[^"]+\.js)"/.exec(String(page.body)) ?? [];
    const file = await platform.anonymous.raw('GET', asset);
    expect([file.status, file.headers['ratelimit-limit']]).toEqual([200, undefined]);
    const present = await platform.anonymous.raw(
      'POST',
      '/console/session/present',
      {},
      {
        headers: { 'x-switchyard-console': '1', origin: platform.url },
      },
    );
    expect([present.status, present.headers['ratelimit-limit']]).toEqual([200, undefined]);
  });
});
