import { type Client, type TestSpace, usePlatform } from '@switchyard/testing';
import { expire } from './expire';

const platform = usePlatform();
const HOUR = 3_600_000;

const idOf = (key: Client): string => key.identity.keyId ?? '';
const path = (key: Client): string => `/api-keys/${idOf(key)}`;
const inHours = (hours: number): string => new Date(Date.now() + hours * HOUR).toISOString();
const codeOf = ({ status, body }: { status: number; body: { code?: string } }): unknown[] => [status, body.code];

describe('a key that rotates keys', () => {
  let space: TestSpace;
  beforeAll(async () => {
    space = await platform.newSpace();
  });

  it('takes over no other key with a budget of its own where it is limited itself', async () => {
    const limits = { dailyTokens: 1000 };
    const limited = await space.key({ limits });
    const maker = await space.key();
    const child = await space.key({}, maker);
    await space.owner.put(path(maker), { limits });
    for (const by of [limited, child]) {
      const refused = await by.post(`${path(await space.key({ limits }))}/rotate`, {});
      expect(codeOf(refused)).toEqual([403, 'FORBIDDEN']);
      expect(refused.body.message).toContain('made by it');
    }
    expect((await limited.post(`${path(await space.key({}, limited))}/rotate`, {})).status).toBe(200);
    expect((await limited.post(`${path(limited)}/rotate`, {})).status).toBe(200);
  });

  it('takes over no key that outlives it', async () => {
    const ending = await space.key({ expiresAt: inHours(2) });
    for (const expiresAt of [undefined, inHours(3)]) {
      const refused = await ending.post(`${path(await space.key({ expiresAt }))}/rotate`, {});
      expect(codeOf(refused)).toEqual([403, 'FORBIDDEN']);
    }
    const made = await space.key({}, ending);
    expect((await ending.post(`${path(made)}/rotate`, {})).status).toBe(200);
    await space.owner.put(path(made), { expiresAt: null });
    expect((await ending.post(`${path(made)}/rotate`, {})).status).toBe(403);
    expect((await ending.post(`${path(await space.key({ expiresAt: inHours(1) }))}/rotate`, {})).status).toBe(200);
    expect((await ending.post(`${path(ending)}/rotate`, {})).status).toBe(200);
  });

  it('rotates the others where nothing bounds it', async () => {
    const key = await space.key();
    expect((await key.post(`${path(await space.key({ limits: { dailyTokens: 5 } }))}/rotate`, {})).status).toBe(200);
  });
});

describe('a chain of keys', () => {
  it('has as many as are counted, and no more', async () => {
    const space = await platform.newSpace();
    let key = await space.key();
    for (let depth = 1; depth <= 16; depth += 1) key = await space.key({}, key);
    expect(codeOf(await key.post('/api-keys', { name: 'one too deep' }))).toEqual([409, 'CONFLICT']);
  });
});

describe('an expired key that is given a later end', () => {
  it('counts as one more under the ceiling and the bound of its person', async () => {
    const space = await platform.newSpace();
    const key = await space.key();
    await expire(platform, key);
    const { operator } = space;
    const ceiling = async (keys: number | null): Promise<void> => {
      expect((await operator.patch(`/operator/spaces/${space.id}`, { ceilings: { keys } })).status).toBe(200);
    };
    const revive = () => space.owner.put(path(key), { expiresAt: inHours(1) });
    await ceiling(0);
    const refused = await revive();
    expect(codeOf(refused)).toEqual([409, 'CONFLICT']);
    expect(refused.body.message).toContain('ceiling keys (0)');
    await ceiling(null);
    await platform.database.query(
      `insert into key.api_keys (space_id, id, name, type, user_id, last4, scopes)
       select $1, gen_random_uuid(), 'x', 'USER', $2, 'abcd', '{*}' from generate_series(1, 500)`,
      [space.id, space.owner.identity.userId],
    );
    expect(codeOf(await revive())).toEqual([409, 'CONFLICT']);
    expect((await space.owner.put(path(key), { name: 'still ended' })).status).toBe(200);
    await platform.database.query(`delete from key.api_keys where space_id = $1 and name = 'x'`, [space.id]);
    expect((await revive()).body.data.status).toBe('ACTIVE');
    await ceiling(0);
    expect((await space.owner.put(path(key), { expiresAt: inHours(2) })).status).toBe(200);
  });
});

describe('the ceiling of keys', () => {
  it('holds for the key of an application too, which counts: nothing of the installation stays', async () => {
    const space = await platform.newSpace();
    const { operator, owner, id } = space;
    const ceiling = async (keys: number): Promise<void> => {
      expect((await operator.patch(`/operator/spaces/${id}`, { ceilings: { keys } })).status).toBe(200);
    };
    const install = (name: string) =>
      owner.post('/applications', { manifest: { identifier: name, name, version: '1.0.0', events: [] } });
    await ceiling(0);
    const refused = await install('first');
    expect(codeOf(refused)).toEqual([409, 'CONFLICT']);
    expect(refused.body.message).toContain('ceiling keys (0)');
    expect((await owner.get('/applications?platform=false')).body.data).toEqual([]);
    await ceiling(1);
    const installed = await install('first');
    expect(installed.status).toBe(201);
    expect((await owner.post('/api-keys', { name: 'one too many' })).status).toBe(409);
    expect((await owner.post(`/applications/${installed.body.data.id}/rotate-key`, {})).status).toBe(200);
  });
});
