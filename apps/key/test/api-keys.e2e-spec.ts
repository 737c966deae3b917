import { type Client, type TestSpace, promised, until, usePlatform } from '@switchyard/testing';
import { expire } from './expire';

const platform = usePlatform();
const NOTHING = '01890000-0000-7000-8000-000000000000';
const FIELDS = [
  'applicationId',
  'createdAt',
  'createdBy',
  'description',
  'expiresAt',
  'id',
  'last4',
  'lastUsedAt',
  'limits',
  'name',
  'revokedAt',
  'scopes',
  'status',
  'type',
];
const inSeconds = (seconds: number): string => new Date(Date.now() + seconds * 1000).toISOString();
const path = (key: Client): string => `/api-keys/${key.identity.keyId ?? ''}`;

/** When a key was used is written down now and then: the test of it comes last. */
let used: { space: TestSpace; key: Client; at: number };
beforeAll(async () => {
  const space = await platform.newSpace();
  const key = await space.key();
  for (let i = 0; i < 20; i += 1) await key.get('/auth/me');
  used = { space, key, at: Date.now() };
});

describe('POST /api-keys', () => {
  it('answers the record and, this once, the value', async () => {
    const space = await platform.newSpace();
    const { status, body, headers } = await space.owner.post('/api-keys', { name: ' ci ', description: 'for builds' });
    expect(status).toBe(201);
    expect(headers['cache-control']).toContain('no-store');
    expect(Object.keys(body.data).sort()).toEqual([...FIELDS, 'key'].sort());
    expect(body.data).toMatchObject({
      name: 'ci',
      description: 'for builds',
      type: 'USER',
      applicationId: null,
      scopes: ['*'],
      status: 'ACTIVE',
      expiresAt: null,
      lastUsedAt: null,
      createdBy: space.owner.identity.userId,
      revokedAt: null,
    });
    expect(body.data.key).toMatch(/^[A-Za-z0-9]{40}$/);
    expect(body.data.last4).toBe(body.data.key.slice(-4));
    const read = await space.owner.get(`/api-keys/${body.data.id}`);
    expect(Object.keys(read.body.data).sort()).toEqual(FIELDS);
    expect(JSON.stringify(read.body)).not.toContain(body.data.key);
  });

  it.each(['Bearer', 'bearer', 'ApiKey', 'API-Key', 'api-key', 'Token'])(
    'makes a key that opens with %s',
    async (scheme) => {
      const key = await (await platform.newSpace()).key();
      expect((await key.as(`${scheme} ${key.credential}`).get('/auth/me')).status).toBe(200);
    },
  );

  it('replays without the value', async () => {
    const { owner } = await platform.newSpace();
    const options = { headers: { 'idempotency-key': 'one' } };
    const first = await owner.post('/api-keys', { name: 'once' }, options);
    const again = await owner.post('/api-keys', { name: 'once' }, options);
    expect([again.status, again.headers['idempotency-replayed']]).toEqual([201, 'true']);
    const { key, ...record } = first.body.data;
    expect(key).toBeDefined();
    expect(again.body.data).toEqual(record);
    const stored = await platform.database.query<{ text: string }>('select answer::text as text from key.idempotency');
    expect(JSON.stringify(stored)).not.toContain(key);
    expect((await owner.post('/api-keys', { name: 'other' }, options)).body.code).toBe('IDEMPOTENCY_CONFLICT');
    expect((await owner.get('/api-keys')).body.data).toHaveLength(1);
  });

  it('takes an idempotency key in any script', async () => {
    const { owner } = await platform.newSpace();
    // Header values are bytes.
    const options = { headers: { 'idempotency-key': Buffer.from('é 注文').toString('latin1') } };
    const first = await owner.post('/api-keys', { name: 'once' }, options);
    const again = await owner.post('/api-keys', { name: 'once' }, options);
    expect([first.status, again.status, again.headers['idempotency-replayed']]).toEqual([201, 201, 'true']);
    const stored = await platform.database.query<{ key: string }>(
      `select key from key.idempotency where key like 'é%'`,
    );
    expect(stored[0]?.key).toBe('é 注文');
    const broken = { headers: { 'idempotency-key': Buffer.from('a\u0085').toString('latin1') } };
    expect((await owner.post('/api-keys', { name: 'once' }, broken)).status).toBe(400);
  });

  it('keeps a keyed hash and nothing else of the value', async () => {
    const key = await (await platform.newSpace()).key();
    const rows = await platform.database.query<{ digest: Buffer; text: string }>(
      `select v.digest, row_to_json(v)::text || row_to_json(k)::text as text
       from key.api_key_values v join key.api_keys k on k.id = v.key_id where k.id = $1`,
      [key.identity.keyId],
    );
    expect(rows).toHaveLength(1);
    expect(rows[0]?.digest).toHaveLength(32);
    expect(rows[0]?.text).not.toContain(key.credential.slice(0, 20));
  });

  it.each([
    [{}],
    [{ name: '' }],
    [{ name: ' ' }],
    [{ name: 1 }],
    [{ name: 'x', scopes: 'agents:read' }],
    [{ name: 'x', scopes: [] }],
    [{ name: 'x', scopes: ['agents:fly'] }],
    [{ name: 'x', scopes: [null] }],
    [{ name: 'x', expiresAt: 'tomorrow' }],
    [{ name: 'x', expiresAt: '2020-01-01T00:00:00.000Z' }],
    [{ name: 'x', type: 'SYSTEM' }],
    [{ name: 'x', createdBy: NOTHING }],
    [{ name: 'x', key: 'a'.repeat(40) }],
    [[]],
  ])('refuses %j', async (body) => {
    const { owner } = await platform.newSpace();
    const reply = await owner.post('/api-keys', body);
    expect([reply.status, reply.body.code]).toEqual([400, 'VALIDATION_ERROR']);
  });

  it('refuses a VIEWER, and a key without keys:write', async () => {
    const space = await platform.newSpace();
    expect((await (await space.member('VIEWER')).post('/api-keys', { name: 'x' })).status).toBe(403);
    expect((await (await space.key({ scopes: ['keys:read'] })).post('/api-keys', { name: 'x' })).status).toBe(403);
  });

  it('lets no key make a key that holds more than itself', async () => {
    const space = await platform.newSpace();
    const key = await space.key({ scopes: ['keys:write', 'agents:write'] });
    for (const scopes of [undefined, ['*'], ['agents:call'], ['agents:read', 'sessions:read']]) {
      const reply = await key.post('/api-keys', { name: 'x', scopes });
      expect([reply.status, reply.body.code]).toEqual([403, 'FORBIDDEN']);
    }
    for (const scopes of [['agents:write'], ['agents:read', 'keys:read']]) {
      expect((await key.post('/api-keys', { name: 'x', scopes })).status).toBe(201);
    }
  });

  it('lets no key make a key that outlives it', async () => {
    const space = await platform.newSpace();
    const expiresAt = inSeconds(600);
    const key = await space.key({ expiresAt });
    expect((await key.post('/api-keys', { name: 'x', expiresAt: inSeconds(900) })).status).toBe(403);
    expect((await key.post('/api-keys', { name: 'x', expiresAt: inSeconds(300) })).status).toBe(201);
    const inherited = await key.post('/api-keys', { name: 'x' });
    expect(Date.parse(inherited.body.data.expiresAt)).toBe(Date.parse(expiresAt));
  });
});

describe('GET /api-keys', () => {
  it("shows people their own, and ADMIN and up everybody's", async () => {
    const space = await platform.newSpace();
    const member = await space.member('MEMBER');
    const admin = await space.member('ADMIN');
    const ofOwner = await space.key();
    const ofMember = await space.key({}, member);
    const ids = async (client: Client): Promise<string[]> =>
      (await client.get('/api-keys')).body.data.map((row: { id: string }) => row.id);
    expect(await ids(member)).toEqual([ofMember.identity.keyId]);
    expect(await ids(admin)).toEqual([ofMember.identity.keyId, ofOwner.identity.keyId]);
    expect((await member.get(path(ofOwner))).status).toBe(404);
    expect((await admin.get(path(ofMember))).status).toBe(200);
  });

  it('filters by status and pages', async () => {
    const space = await platform.newSpace();
    const keys = [];
    for (let i = 0; i < 3; i += 1) keys.push(await space.key({ name: `key ${i}` }));
    const short = await space.key();
    await expire(platform, short);
    await space.owner.post(`${path(keys[0] as Client)}/revoke`, {});
    const list = async (query: string): Promise<string[]> =>
      (await space.owner.get(`/api-keys?${query}`)).body.data.map((row: { id: string }) => row.id);
    const [first, second, third] = keys.map((key) => key.identity.keyId);
    expect(await list('status=ACTIVE')).toEqual([third, second]);
    expect(await list('status=REVOKED')).toEqual([first]);
    expect(await list('status=EXPIRED')).toEqual([short.identity.keyId]);
    const page = await space.owner.get('/api-keys?limit=2&status=ACTIVE');
    expect(page.body.page).toEqual({ limit: 2, nextCursor: null });
    const pageOne = await space.owner.get('/api-keys?limit=3');
    expect(await list(`limit=3&cursor=${pageOne.body.page.nextCursor}`)).toEqual([first]);
  });

  it.each(['status=active', 'status=', 'limit=0', 'limit=101', 'cursor=!', 'q=x'])('refuses ?%s', async (query) => {
    const { owner } = await platform.newSpace();
    expect((await owner.get(`/api-keys?${query}`)).status).toBe(400);
  });
});

describe('PUT /api-keys/{keyId}', () => {
  it('changes the given fields only', async () => {
    const space = await platform.newSpace();
    const key = await space.key({ scopes: ['agents:write', 'keys:read'] });
    const expiresAt = inSeconds(3600);
    const renamed = await space.owner.put(path(key), { name: 'renamed', expiresAt });
    expect(renamed.status).toBe(200);
    expect(renamed.body.data).toMatchObject({
      name: 'renamed',
      description: null,
      expiresAt,
      scopes: ['agents:write', 'keys:read'],
    });
    const cleared = await space.owner.put(path(key), { expiresAt: null, description: 'now described' });
    expect(cleared.body.data).toMatchObject({ name: 'renamed', description: 'now described', expiresAt: null });
    expect(Object.keys(cleared.body.data).sort()).toEqual(FIELDS);
  });

  it('shrinks scopes, which holds for the next request', async () => {
    const space = await platform.newSpace();
    const key = await space.key({ scopes: ['keys:write', 'spaces:read'] });
    expect((await key.get('/spaces')).status).toBe(200);
    expect((await space.owner.put(path(key), { scopes: ['keys:read'] })).body.data.scopes).toEqual(['keys:read']);
    await until(async () => (await key.get('/spaces')).status === 403, { timeoutMs: promised(1000) });
    expect((await key.get('/api-keys')).status).toBe(200);
  });

  it('never widens scopes', async () => {
    const space = await platform.newSpace();
    const key = await space.key({ scopes: ['keys:read'] });
    for (const scopes of [['*'], ['keys:write'], ['keys:read', 'agents:read']]) {
      const reply = await space.owner.put(path(key), { scopes });
      expect([reply.status, reply.body.code]).toEqual([403, 'FORBIDDEN']);
    }
    expect((await space.owner.get(path(key))).body.data.scopes).toEqual(['keys:read']);
  });

  it('takes an earlier end to keys in use', async () => {
    const space = await platform.newSpace();
    const key = await space.key();
    expect((await key.get('/auth/me')).status).toBe(200);
    await until(async () => (await space.owner.put(path(key), { expiresAt: inSeconds(3) })).status === 200);
    await until(async () => (await key.get('/auth/me')).status === 401);
  });

  it('does not let a key lengthen its own life', async () => {
    const space = await platform.newSpace();
    const key = await space.key({ expiresAt: inSeconds(600) });
    expect((await key.put(path(key), { expiresAt: inSeconds(6000) })).status).toBe(403);
    const cleared = await key.put(path(key), { expiresAt: null });
    expect(Date.parse(cleared.body.data.expiresAt)).toBeLessThanOrEqual(Date.now() + 600_000);
  });

  it('refuses a revoked key with 409', async () => {
    const space = await platform.newSpace();
    const key = await space.key();
    await space.owner.post(`${path(key)}/revoke`, {});
    expect((await space.owner.put(path(key), { name: 'x' })).body.code).toBe('CONFLICT');
    expect((await space.owner.post(`${path(key)}/rotate`, {})).body.code).toBe('CONFLICT');
  });

  it.each([
    [{ name: '' }],
    [{ scopes: [] }],
    [{ expiresAt: 'x' }],
    [{ expiresAt: '2020-01-01T00:00:00.000Z' }],
    [{ status: 'ACTIVE' }],
    [{ lastUsedAt: null }],
  ])('refuses %j', async (body) => {
    const space = await platform.newSpace();
    expect((await space.owner.put(path(await space.key()), body)).status).toBe(400);
  });
});

describe('keys of others', () => {
  let space: TestSpace;
  let key: Client;
  const acts: [string, (client: Client, at: string) => Promise<{ status: number }>][] = [
    ['GET', (client, at) => client.get(at)],
    ['PUT', (client, at) => client.put(at, { name: 'taken' })],
    ['POST revoke', (client, at) => client.post(`${at}/revoke`, {})],
    ['POST rotate', (client, at) => client.post(`${at}/rotate`, {})],
  ];

  beforeAll(async () => {
    space = await platform.newSpace();
    key = await space.key();
  });

  it.each(acts)('%s is 404 from another Space and for a colleague, and 400 for no id', async (_, act) => {
    const foreign = await platform.newSpace();
    const colleague = await space.member('MEMBER');
    expect((await act(foreign.owner, path(key))).status).toBe(404);
    expect((await act(await foreign.key(), path(key))).status).toBe(404);
    expect((await act(colleague, path(key))).status).toBe(404);
    expect((await act(space.owner, `/api-keys/${NOTHING}`)).status).toBe(404);
    expect((await act(space.owner, '/api-keys/x')).status).toBe(400);
    expect((await key.get('/auth/me')).status).toBe(200);
  });

  it('are managed by ADMIN and up, but no ADMIN takes over the key of an OWNER', async () => {
    const admin = await space.member('ADMIN');
    const ofMember = await space.key({}, await space.member('MEMBER'));
    expect((await admin.post(`${path(ofMember)}/rotate`, {})).status).toBe(200);
    expect((await admin.post(`${path(key)}/rotate`, {})).status).toBe(403);
    expect((await admin.put(path(key), { name: 'renamed' })).status).toBe(200);
    expect((await admin.post(`${path(ofMember)}/revoke`, {})).body.data.status).toBe('REVOKED');
  });

  it('give no more to a key by being rotated', async () => {
    const narrow = await space.key({ scopes: ['keys:write'] });
    const wide = await space.key({ scopes: ['*'] });
    expect((await narrow.post(`${path(wide)}/rotate`, {})).status).toBe(403);
    expect((await narrow.post(`${path(narrow)}/rotate`, {})).status).toBe(200);
  });

  it('are not for a VIEWER to change', async () => {
    const viewer = await space.member('VIEWER');
    expect((await viewer.get('/api-keys')).status).toBe(200);
    expect((await viewer.post(`${path(key)}/revoke`, {})).status).toBe(403);
    expect((await viewer.post(`${path(key)}/rotate`, {})).status).toBe(403);
    expect((await viewer.put(path(key), { name: 'x' })).status).toBe(403);
  });
});

describe('lastUsedAt', () => {
  it('is there within a minute, and costs no write per request', async () => {
    const { space, key } = used;
    const at = await until(async () => (await space.owner.get(path(key))).body.data.lastUsedAt as string | null, {
      timeoutMs: 60_000,
      everyMs: 500,
    });
    expect(Math.abs(Date.parse(at) - used.at)).toBeLessThan(60_000);
    const [row] = await platform.database.query<{ version: number }>('select version from key.api_keys where id = $1', [
      key.identity.keyId,
    ]);
    expect(row?.version).toBe(1);
  });
});
