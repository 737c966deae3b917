import { randomBytes } from 'node:crypto';
import { makeKeyValue } from '@switchyard/contracts';
import { Client, until, usePlatform } from '@switchyard/testing';

const platform = usePlatform();

describe('the operator key that a setup has chosen', () => {
  it('is made once with its one scope by the platform, and stays revoked', async () => {
    const value = makeKeyValue(randomBytes);
    const service = platform.service('key');
    const settings = { NATS_API_OPERATOR_KEY: value };
    await service.restart(settings);
    const space = await platform.newSpace();
    const client: Client = space.owner.as(`Bearer ${value}`);
    await until(async () => (await client.get('/operator/nats-accounts')).status === 200, { timeoutMs: 60_000 });
    expect((await client.get('/operator/spaces')).status).toBe(403);
    expect((await client.get('/agents')).status).toBe(403);
    await service.restart(settings);
    const rows = (): Promise<{ revoked: boolean; created_by: string | null }[]> =>
      platform.database.query(
        `select revoked_at is not null as revoked, created_by from key.api_keys where type = 'OPERATOR' and last4 = $1`,
        [value.slice(-4)],
      );
    expect(await rows()).toEqual([{ revoked: false, created_by: null }]);
    // As earlier versions made it.
    await platform.database.query(`update key.api_keys set created_by = $2 where type = 'OPERATOR' and last4 = $1`, [
      value.slice(-4),
      space.owner.identity.userId,
    ]);
    await service.restart(settings);
    await until(async () => (await rows())[0]?.created_by === null);
    await until(async () => (await client.get('/operator/nats-accounts')).status === 200, { timeoutMs: 60_000 });
    await platform.database.query(`update key.api_keys set revoked_at = now() where type = 'OPERATOR' and last4 = $1`, [
      value.slice(-4),
    ]);
    await service.restart(settings);
    await until(async () => [401, 403].includes((await client.get('/operator/nats-accounts')).status), {
      timeoutMs: 60_000,
    });
    expect(await rows()).toEqual([{ revoked: true, created_by: null }]);
    await service.restart();
  }, 200_000);
});
