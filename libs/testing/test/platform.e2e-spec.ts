import { usePlatform } from '@switchyard/testing';

const platform = usePlatform();

describe('the platform for tests', () => {
  it('gives each test a Space of its own', async () => {
    const [one, other] = await Promise.all([platform.newSpace(), platform.newSpace()]);
    expect(one.id).not.toBe(other.id);
    const me = await one.owner.get('/auth/me');
    expect(me.status).toBe(200);
    expect(me.body.data).toMatchObject({ space: { id: one.id }, role: 'OWNER' });
  });

  it('adds members and keys to a Space', async () => {
    const space = await platform.newSpace();
    const viewer = await space.member('VIEWER');
    const key = await space.key({ scopes: ['agents:read'] });
    expect((await viewer.get('/auth/me')).body.data.role).toBe('VIEWER');
    expect((await key.get('/auth/me')).body.data.credential).toMatchObject({
      type: 'api_key',
      scopes: ['agents:read'],
    });
  });

  it('sees the database from above', async () => {
    const rows = await platform.database.query<{ name: string }>('select nspname as name from pg_namespace');
    expect(rows.map(({ name }) => name)).toContain('key');
  });
});
