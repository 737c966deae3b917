import { type Client, type Reply, type TestSpace, usePlatform } from '@switchyard/testing';

const platform = usePlatform();

interface Rotated {
  space: TestSpace;
  old: Client;
  renewed: Client;
  other: Client;
  colleague: Client;
}

describe('a key value that a rotation has replaced', () => {
  let rotated: Rotated;

  beforeAll(async () => {
    const space = await platform.newSpace();
    const [old, other, colleague] = [await space.key(), await space.key(), await space.member()];
    // The gateway has the value in its cache, as one of the key's present values.
    expect((await old.get('/auth/me')).status).toBe(200);
    const { body } = await old.post(`${pathOf(old)}/rotate`, { graceSeconds: 600 });
    rotated = { space, old, renewed: old.as(`Bearer ${body.data.key}`), other, colleague };
  });

  it.each<[string, (of: Rotated, client: Client) => Promise<Reply>]>([
    ['make a key', (_of, client) => client.post('/api-keys', { name: 'outlives the grace' })],
    ['change its own key', ({ old }, client) => client.put(pathOf(old), { name: 'changed' })],
    ['revoke another key', ({ other }, client) => client.post(`${pathOf(other)}/revoke`, {})],
    ['add a member', ({ space }, client) => client.post(membersOf(space), { email: 'new@a.test', role: 'MEMBER' })],
    [
      'change a role',
      ({ space, colleague }, client) =>
        client.patch(`${membersOf(space)}/${colleague.identity.userId ?? ''}`, { role: 'VIEWER' }),
    ],
    [
      'remove a member',
      ({ space, colleague }, client) => client.delete(`${membersOf(space)}/${colleague.identity.userId ?? ''}`),
    ],
    ['rotate the webhook secret', ({ space }, client) => client.post(`/spaces/${space.id}/webhook-secret/rotate`, {})],
    [
      'install an application',
      (_of, client) =>
        client.post('/applications', { manifest: { identifier: 'shop', name: 'S', version: '1.0.0', events: [] } }),
    ],
    // Last: it replaces the value that was new until then.
    ['rotate its own key', ({ old }, client) => client.post(`${pathOf(old)}/rotate`, { graceSeconds: 600 })],
  ])('may not %s, which the new value may', async (_what, attempt) => {
    const refused = await attempt(rotated, rotated.old);
    expect([refused.status, refused.body]).toEqual([
      403,
      { success: false, code: 'FORBIDDEN', message: expect.stringContaining('Use the new value') as string },
    ]);
    expect((await attempt(rotated, rotated.renewed)).status).toBeLessThan(300);
  });

  it('reads and works on as before', async () => {
    const { old, space } = rotated;
    expect((await old.get(pathOf(old))).status).toBe(200);
    expect((await old.patch(`/spaces/${space.id}`, { name: 'Renamed' })).status).toBe(200);
    expect((await old.post('/agents/sessions', { title: 'a session' })).status).toBe(201);
  });
});

const pathOf = (key: Client): string => `/api-keys/${key.identity.keyId ?? ''}`;
const membersOf = (space: TestSpace): string => `/spaces/${space.id}/members`;
