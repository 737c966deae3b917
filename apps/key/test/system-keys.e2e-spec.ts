import { type Client, type TestSpace, promised, until, usePlatform } from '@switchyard/testing';

const platform = usePlatform();

interface Installed {
  id: string;
  app: Client;
  keyId: string;
}

async function install(space: TestSpace): Promise<Installed> {
  const identifier = `app-${Math.random().toString(36).slice(2, 10)}`;
  const manifest = {
    identifier,
    name: 'Shop',
    version: '1.0.0',
    events: [{ name: 'order.created', schema: { type: 'object' } }],
  };
  const { status, body } = await space.owner.post('/applications', { manifest });
  expect(status).toBe(201);
  const list = await space.owner.get('/api-keys');
  const keyId = list.body.data.find((row: { applicationId: string }) => row.applicationId === body.data.id)
    .id as string;
  return { id: body.data.id, keyId, app: space.owner.as(`Bearer ${body.data.systemApiKey}`) };
}

describe('the key of an application', () => {
  it('is listed for ADMIN and up, without a person', async () => {
    const space = await platform.newSpace();
    const { id, keyId, app } = await install(space);
    const { status, body } = await space.owner.get(`/api-keys/${keyId}`);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      type: 'SYSTEM',
      applicationId: id,
      scopes: ['events:emit'],
      status: 'ACTIVE',
      last4: app.credential.slice(-4),
      createdBy: space.owner.identity.userId,
    });
    const member = await space.member('MEMBER');
    expect((await member.get('/api-keys')).body.data).toEqual([]);
    expect((await member.get(`/api-keys/${keyId}`)).status).toBe(404);
  });

  it('opens nothing but emission', async () => {
    const space = await platform.newSpace();
    const { app } = await install(space);
    const refused = [
      app.get('/auth/me'),
      app.get('/spaces'),
      app.get('/api-keys'),
      app.post('/api-keys', { name: 'x' }),
      app.get(`/spaces/${space.id}`),
    ];
    for (const reply of await Promise.all(refused)) expect([reply.status, reply.body.code]).toEqual([403, 'FORBIDDEN']);
    expect((await space.owner.post('/api-keys/validate', { key: app.credential })).body.data).toMatchObject({
      valid: true,
      type: 'SYSTEM',
      scopes: ['events:emit'],
    });
  });

  it('never gets another scope', async () => {
    const space = await platform.newSpace();
    const { keyId } = await install(space);
    expect((await space.owner.put(`/api-keys/${keyId}`, { scopes: ['agents:read'] })).status).toBe(403);
    expect((await space.owner.put(`/api-keys/${keyId}`, { name: 'renamed' })).body.data.scopes).toEqual([
      'events:emit',
    ]);
  });

  it('is revoked and rotated by ADMIN and up', async () => {
    const space = await platform.newSpace();
    const { keyId, app } = await install(space);
    const status = async (client: Client): Promise<number> => (await client.get('/auth/me')).status;
    expect(await status(app)).toBe(403);
    const rotated = await space.owner.post(`/api-keys/${keyId}/rotate`, {});
    expect(rotated.status).toBe(200);
    const renewed = app.as(`Bearer ${rotated.body.data.key}`);
    await until(async () => (await status(app)) === 401, { timeoutMs: promised(1000) });
    expect(await status(renewed)).toBe(403);
    await space.owner.post(`/api-keys/${keyId}/revoke`, {});
    await until(async () => (await status(renewed)) === 401, { timeoutMs: promised(1000) });
  });

  it('dies with the application', async () => {
    const space = await platform.newSpace();
    const { id, keyId, app } = await install(space);
    expect((await space.owner.delete(`/applications/${id}`)).status).toBe(200);
    await until(async () => (await app.get('/auth/me')).status === 401, { timeoutMs: promised(1000) });
    expect((await space.owner.get(`/api-keys/${keyId}`)).body.data.status).toBe('REVOKED');
  });
});
