import { tombstoneKey } from '@switchyard/contracts';
import {
  type Client,
  type ExtraGateway,
  NO_NATS,
  promised,
  startGateway,
  until,
  usePlatform,
} from '@switchyard/testing';
import Redis from 'ioredis';
import { expire } from './expire';

const platform = usePlatform();
const path = (key: Client): string => `/api-keys/${key.identity.keyId ?? ''}`;
const opens = async (client: Client): Promise<boolean> => (await client.get('/auth/me')).status === 200;

const isShut = async (client: Client): Promise<boolean> => (await client.get('/auth/me')).status === 401;

/** Milliseconds from now to the beginning of the last requests of which a gateway accepts one, until none does. */
async function timeUntilShut(clients: Client[]): Promise<number> {
  const start = performance.now();
  let lastOpen = 0;
  await until(
    async () => {
      const began = performance.now();
      const shut = await Promise.all(clients.map(isShut));
      if (shut.every(Boolean)) return true;
      lastOpen = began - start;
      return false;
    },
    { everyMs: 20 },
  );
  return lastOpen;
}

describe('a revoked key', () => {
  let others: ExtraGateway[] = [];

  beforeAll(async () => {
    others = await Promise.all([startGateway(platform), startGateway(platform)]);
  }, 200_000);

  afterAll(() => Promise.all(others.map((gateway) => gateway.stop())));

  const everywhere = (key: Client): Client[] => [key, ...others.map((gateway) => gateway.at(key))];

  it('is shut at every gateway within a second, hot caches included', async () => {
    const space = await platform.newSpace();
    const key = await space.key();
    for (const client of everywhere(key)) expect(await opens(client)).toBe(true);
    const { status, body } = await space.owner.post(`${path(key)}/revoke`, {});
    expect([status, body.data.status]).toEqual([200, 'REVOKED']);
    expect(body.data.revokedAt).toEqual(expect.any(String));
    expect(await timeUntilShut(everywhere(key))).toBeLessThan(promised(1000));
  });

  it('stays shut under a storm of requests that began before', async () => {
    const space = await platform.newSpace();
    const key = await space.key();
    // Few enough to stay below the limit of refusals per address, which all tests share.
    const storm = everywhere(key).map(async (client) => {
      for (let i = 0; i < 60; i += 1) await client.get('/spaces');
    });
    await space.owner.post(`${path(key)}/revoke`, {});
    expect(await timeUntilShut(everywhere(key))).toBeLessThan(promised(1000));
    await Promise.all(storm);
    for (let i = 0; i < 10; i += 1) for (const client of everywhere(key)) expect(await isShut(client)).toBe(true);
  });

  it('may be revoked again', async () => {
    const space = await platform.newSpace();
    const key = await space.key();
    const first = await space.owner.post(`${path(key)}/revoke`, {});
    const again = await space.owner.post(`${path(key)}/revoke`);
    expect(again.status).toBe(200);
    expect(again.body.data).toEqual(first.body.data);
  });

  it('may revoke itself', async () => {
    const key = await (await platform.newSpace()).key({ scopes: ['keys:write'] });
    expect((await key.post(`${path(key)}/revoke`, {})).status).toBe(200);
    expect(await timeUntilShut([key])).toBeLessThan(promised(1000));
  });

  it('is refused with the same words as one that never was', async () => {
    const space = await platform.newSpace();
    const revoked = await space.key();
    await space.owner.post(`${path(revoked)}/revoke`, {});
    const expired = await space.key();
    await expire(platform, expired);
    const unknown = space.owner.as('Bearer 0000000000000000000000000000000000000000');
    const malformed = space.owner.as('Bearer 0');
    const replies = await Promise.all([revoked, expired, unknown, malformed].map((client) => client.get('/auth/me')));
    for (const { status, body } of replies) expect({ status, body }).toEqual({ status: 401, body: replies[0]?.body });
  });

  it('is shut by its mark in Redis, should a verification have read the database just before', async () => {
    const space = await platform.newSpace();
    const key = await space.key();
    const redis = new Redis(platform.state.redisUrl);
    try {
      await redis.set(tombstoneKey(key.identity.keyId ?? ''), String(Number.MAX_SAFE_INTEGER), 'EX', 60);
      expect(await timeUntilShut([key])).toBeLessThan(promised(1000));
      expect(await isShut(key)).toBe(true);
    } finally {
      redis.disconnect();
    }
  });

  it('is shut within five seconds at a gateway that hears no signals', async () => {
    const space = await platform.newSpace();
    const key = await space.key();
    const deaf = await startGateway(platform, { NATS_URL: NO_NATS });
    try {
      // With NATS away credentials are checked over the internal port; the services behind the gateway are unreachable.
      const status = async (): Promise<number> => (await deaf.at(key).get('/auth/me')).status;
      expect(await status()).toBe(503);
      await space.owner.post(`${path(key)}/revoke`, {});
      expect(await timeUntilShut([deaf.at(key)])).toBeLessThan(promised(5000));
    } finally {
      await deaf.stop();
    }
  }, 200_000);
});

describe('POST /api-keys/{keyId}/rotate', () => {
  it('gives a new value for the same key, and the old one dies at once', async () => {
    const space = await platform.newSpace();
    const old = await space.key();
    expect(await opens(old)).toBe(true);
    const { status, body, headers } = await space.owner.post(`${path(old)}/rotate`, {});
    expect(status).toBe(200);
    expect(headers['cache-control']).toContain('no-store');
    expect(body.data.id).toBe(old.identity.keyId);
    expect(body.data.key).toMatch(/^[A-Za-z0-9]{40}$/);
    expect(body.data.last4).toBe(body.data.key.slice(-4));
    expect(await timeUntilShut([old])).toBeLessThan(promised(1000));
    expect(await opens(old.as(`Bearer ${body.data.key}`))).toBe(true);
  });

  it('lets the old value live for its grace, and the new one beyond', async () => {
    const space = await platform.newSpace();
    const old = await space.key();
    const start = performance.now();
    const { body } = await space.owner.post(`${path(old)}/rotate`, { graceSeconds: 8 });
    const renewed = old.as(`Bearer ${body.data.key}`);
    expect([await opens(old), await opens(renewed)]).toEqual([true, true]);
    await until(() => isShut(old));
    expect(performance.now() - start).toBeGreaterThan(7900);
    expect(await opens(renewed)).toBe(true);
  });

  it('is cut short by a second rotation, and by revocation', async () => {
    const space = await platform.newSpace();
    const first = await space.key();
    const second = first.as(
      `Bearer ${(await space.owner.post(`${path(first)}/rotate`, { graceSeconds: 600 })).body.data.key}`,
    );
    const third = first.as(
      `Bearer ${(await space.owner.post(`${path(first)}/rotate`, { graceSeconds: 0 })).body.data.key}`,
    );
    expect(await timeUntilShut([first, second])).toBeLessThan(promised(1000));
    expect(await opens(third)).toBe(true);
    const fourth = first.as(
      `Bearer ${(await space.owner.post(`${path(first)}/rotate`, { graceSeconds: 600 })).body.data.key}`,
    );
    expect([await opens(third), await opens(fourth)]).toEqual([true, true]);
    await space.owner.post(`${path(first)}/revoke`, {});
    expect(await timeUntilShut([third, fourth])).toBeLessThan(promised(1000));
  });

  it('rotates once for one idempotency key: the old value keeps its grace', async () => {
    const space = await platform.newSpace();
    const old = await space.key();
    const options = { headers: { 'idempotency-key': 'rotate once' } };
    const first = await space.owner.post(`${path(old)}/rotate`, { graceSeconds: 600 }, options);
    const again = await space.owner.post(`${path(old)}/rotate`, { graceSeconds: 600 }, options);
    expect([again.status, again.headers['idempotency-replayed']]).toEqual([200, 'true']);
    const { key, ...record } = first.body.data;
    expect(again.body.data).toEqual(record);
    expect([await opens(old), await opens(old.as(`Bearer ${key}`))]).toEqual([true, true]);
    const other = await space.owner.post(`${path(old)}/rotate`, { graceSeconds: 60 }, options);
    expect(other.body.code).toBe('IDEMPOTENCY_CONFLICT');
    const stored = await platform.database.query<{ text: string }>('select answer::text as text from key.idempotency');
    expect(JSON.stringify(stored)).not.toContain(key);
  });

  it.each([
    [{ graceSeconds: -1 }],
    [{ graceSeconds: 86_401 }],
    [{ graceSeconds: 1.5 }],
    [{ graceSeconds: '1' }],
    [{ grace: 1 }],
  ])('refuses %j', async (body) => {
    const space = await platform.newSpace();
    expect((await space.owner.post(`${path(await space.key())}/rotate`, body)).status).toBe(400);
  });

  it('is refused for an expired key', async () => {
    const space = await platform.newSpace();
    const key = await space.key();
    await expire(platform, key);
    expect((await space.owner.post(`${path(key)}/rotate`, {})).status).toBe(409);
  });
});
