import { randomUUID } from 'node:crypto';
import { type Client, type Reply, type TestSpace, until, usePlatform } from '@switchyard/testing';
import { createAccount, createUser, fromSeed } from 'nkeys.js';
import { codeOf, pathOf, revisionFor } from './nats-account-routes';

const platform = usePlatform();
let space: TestSpace;
let other: TestSpace;
let admin: Client;

beforeAll(async () => {
  space = await platform.newSpace();
  other = await platform.newSpace();
  admin = await space.member('ADMIN');
});

const named = (): string => `svc-${randomUUID()}`;
const ask = (body: object = {}, by: Client = admin, in_: TestSpace = space): Promise<Reply> =>
  by.post(pathOf(in_.id), { name: named(), scopes: ['events:emit'], ...body });
const create = async (body: object = {}, by: Client = admin, in_: TestSpace = space) => {
  const made = await ask(body, by, in_);
  expect([made.status, made.body.message]).toEqual([201, expect.any(String)]);
  return made.body.data;
};

describe('an account of a service', () => {
  it('is made with a seed that is shown once, when a server has loaded its user', async () => {
    const name = named();
    const limits = { requestsPerMinute: 100, applications: ['shop', 'shop'] };
    const { seed, admittedAt, ...account } = await create({ name, scopes: ['events:emit', 'agents:call'], limits });
    expect(account).toEqual({
      id: expect.stringMatching(/^[A-Za-z0-9]{22}$/),
      actorId: expect.stringMatching(/^[0-9a-f-]{14}7/),
      spaceId: space.id,
      name,
      role: 'MEMBER',
      scopes: ['events:emit', 'agents:call'],
      limits: { requestsPerMinute: 100, applications: ['shop'] },
      status: 'ACTIVE',
      url: expect.stringMatching(/^nats:/),
      publicKey: fromSeed(Buffer.from(seed)).getPublicKey(),
      subjects: {
        request: `switchyard.v1.${account.id}`,
        deliver: `switchyard-out.v1.${account.id}`,
        inbox: `_INBOX.${account.id}`,
      },
      lastUsedAt: null,
      createdBy: admin.identity.userId,
      createdAt: expect.any(String),
      revokedAt: null,
    });
    expect(Date.parse(admittedAt)).toBeGreaterThan(0);
    const read = await admin.get(pathOf(space.id, account.id));
    expect(read.body.data).toEqual({ ...account, admittedAt });
    const listed = (await admin.get(`${pathOf(space.id)}?limit=100&status=ACTIVE`)).body.data;
    expect(listed).toContainEqual({ ...account, admittedAt });
    expect(JSON.stringify([listed, read.body])).not.toContain(seed);
  });

  it('has no seed where its maker gives a public key, which no other account takes ever again', async () => {
    const publicKey = createUser().getPublicKey();
    const account = await create({ publicKey });
    expect([account.publicKey, account.seed]).toEqual([publicKey, undefined]);
    expect((await admin.post(`${pathOf(space.id, account.id)}/revoke`, {})).status).toBe(200);
    expect(codeOf(await ask({ publicKey }))).toEqual([409, 'CONFLICT']);
    expect(codeOf(await ask({ publicKey }, other.owner, other))).toEqual([409, 'CONFLICT']);
    const rotated = await create();
    expect(codeOf(await admin.post(`${pathOf(space.id, rotated.id)}/rotate`, { publicKey }))).toEqual([
      409,
      'CONFLICT',
    ]);
  });

  it('answers a repeat with the first account, without its seed', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const body = { name: named(), scopes: ['events:emit'] };
    const post = () => admin.post(pathOf(space.id), body, { headers });
    const first = await post();
    const again = await post();
    const { seed, ...shown } = first.body.data;
    expect(seed).toMatch(/^SU/);
    expect([again.status, again.headers['idempotency-replayed'], again.body.data]).toEqual([201, 'true', shown]);
    expect(again.headers['cache-control']).toBe('no-store');
  });

  it.each([
    ['an unknown field', { color: 'red' }, 'color'],
    ['the role OWNER', { role: 'OWNER' }, 'role'],
    ['an unknown scope', { scopes: ['everything'] }, 'scopes[0]'],
    ['no scope', { scopes: [] }, 'scopes'],
    ['scopes of a wrong type', { scopes: 'events:emit' }, 'scopes'],
    ['an upper-case name', { name: 'Billing' }, 'name'],
    ['a name of 64 characters', { name: 'a'.repeat(64) }, 'name'],
    ['a name with a dot', { name: 'a.b' }, 'name'],
    ['an empty name', { name: '' }, 'name'],
    ['a name that is no text', { name: { $ne: 1 } }, 'name'],
    ['more requests than the Space may make', { limits: { requestsPerMinute: 6001 } }, 'limits.requestsPerMinute'],
    ['a public key of an account', { publicKey: createAccount().getPublicKey() }, 'publicKey'],
    ['a public key with a wrong checksum', { publicKey: `U${'A'.repeat(55)}` }, 'publicKey'],
    ['a seed as its public key', { publicKey: Buffer.from(createUser().getSeed()).toString() }, 'publicKey'],
    ['too many applications', { limits: { applications: Array.from({ length: 101 }, String) } }, 'limits.applications'],
  ])('is refused with %s, by the name of the field', async (_what, body, path) => {
    const refused = await ask(body);
    expect([...codeOf(refused), refused.body.details?.[0]?.path]).toEqual([400, 'VALIDATION_ERROR', path]);
  });

  it('is one of a name among the active ones', async () => {
    const account = await create();
    const second = await create();
    expect(codeOf(await ask({ name: account.name }))).toEqual([409, 'CONFLICT']);
    const rename = () => admin.patch(pathOf(space.id, second.id), { name: account.name });
    expect(codeOf(await rename())).toEqual([409, 'CONFLICT']);
    await admin.post(`${pathOf(space.id, account.id)}/revoke`, {});
    expect((await rename()).body.data.name).toBe(account.name);
  });

  it('has its role, scopes and limits changed, and can only shrink', async () => {
    const { id } = await create({ role: 'ADMIN', scopes: ['agents:write', 'events:emit'] });
    const patch = (body: object) => admin.patch(pathOf(space.id, id), body);
    const change = { role: 'MEMBER', scopes: ['agents:read'], limits: { dailyTokens: 5, applications: ['a'] } };
    const { body } = await patch(change);
    expect(body.data).toMatchObject(change);
    for (const [wider, path] of [
      [{ role: 'ADMIN' }, 'role'],
      [{ scopes: ['agents:write'] }, 'scopes'],
      [{ limits: { requestsPerMinute: 1_000_000 } }, 'limits.requestsPerMinute'],
    ] as const) {
      const refused = await patch(wider);
      expect([refused.status, refused.body.details[0].path]).toEqual([400, path]);
    }
    const after = await patch({ limits: { applications: null } });
    expect(after.body.data).toMatchObject({ role: 'MEMBER', limits: { dailyTokens: 5 } });
    expect(after.body.data.limits.applications).toBeUndefined();
    const usage = await admin.get(`${pathOf(space.id, id)}/usage`);
    expect(usage.body.data.dailyTokens).toMatchObject({ used: 0, cap: 5 });
  });

  it('is revoked for good', async () => {
    const { id } = await create();
    const revoke = () => admin.post(`${pathOf(space.id, id)}/revoke`, {});
    const first = await revoke();
    expect(first.body.data).toMatchObject({ status: 'REVOKED', revokedAt: expect.any(String) });
    expect((await revoke()).body.data).toEqual(first.body.data);
    expect(codeOf(await admin.post(`${pathOf(space.id, id)}/rotate`, {}))).toEqual([409, 'CONFLICT']);
    expect(codeOf(await admin.patch(pathOf(space.id, id), { name: 'again' }))).toEqual([409, 'CONFLICT']);
  });

  it('exists in its Space alone', async () => {
    const { id } = await create();
    const routes = (spaceId: string, accountId: string): ((by: Client) => Promise<Reply>)[] => [
      (by) => by.get(pathOf(spaceId, accountId)),
      (by) => by.get(`${pathOf(spaceId, accountId)}/usage`),
      (by) => by.patch(pathOf(spaceId, accountId), { name: 'mine' }),
      (by) => by.post(`${pathOf(spaceId, accountId)}/rotate`, {}),
      (by) => by.post(`${pathOf(spaceId, accountId)}/revoke`, {}),
    ];
    for (const route of [...routes(other.id, id), ...routes(space.id, id), ...routes(other.id, 'A'.repeat(22))])
      expect(codeOf(await route(other.owner))).toEqual([404, 'NOT_FOUND']);
    for (const route of routes(space.id, id.slice(1))) expect((await route(admin)).status).toBe(400);
    expect(codeOf(await ask({}, other.owner))).toEqual([404, 'NOT_FOUND']);
    expect((await admin.get(pathOf(space.id, id))).body.data.status).toBe('ACTIVE');
  });

  it('is for ADMIN and up, and has at most the scopes of its maker', async () => {
    const member = await space.member('MEMBER');
    const reads = await space.key({ scopes: ['keys:read'] });
    const writes = await space.key({ scopes: ['keys:write', 'agents:read'] });
    expect((await member.get(pathOf(space.id))).status).toBe(403);
    expect((await ask({}, member)).status).toBe(403);
    expect((await reads.get(pathOf(space.id))).status).toBe(200);
    expect((await ask({}, reads)).status).toBe(403);
    for (const scopes of [['*'], ['events:emit'], ['agents:write']])
      expect(codeOf(await ask({ scopes }, writes))).toEqual([403, 'FORBIDDEN']);
    expect(await create({ scopes: ['agents:read'] }, writes)).toMatchObject({ scopes: ['agents:read'] });
    const account = await create();
    expect(codeOf(await writes.post(`${pathOf(space.id, account.id)}/rotate`, {}))).toEqual([403, 'FORBIDDEN']);
  });

  it('counts in the limits of the key that made it, and has no more', async () => {
    const key = await space.key({ limits: { requestsPerMinute: 60, dailyTokens: 1000 } });
    const account = await create({}, key);
    expect(account.limits).toEqual({ requestsPerMinute: 60, dailyTokens: 1000 });
    expect(codeOf(await ask({ limits: { dailyTokens: 1001 } }, key))).toEqual([403, 'FORBIDDEN']);
    expect((await key.patch(pathOf(space.id, account.id), { limits: { dailyTokens: null } })).status).toBe(403);
    const [row] = await platform.database.query<{ made_by_key: string }>(
      'select made_by_key from key.nats_accounts where account_id = $1',
      [account.id],
    );
    expect(row?.made_by_key).toBe(key.identity.keyId);
    const alien = await create({}, admin);
    expect((await key.post(`${pathOf(space.id, alien.id)}/rotate`, {})).status).toBe(403);
  });

  it('is made and changed by no key value that a rotation has replaced', async () => {
    const key = await space.key();
    const { id } = await create({}, key);
    await space.owner.post(`/api-keys/${key.identity.keyId}/rotate`, { graceSeconds: 60 });
    await until(async () => (await ask({}, key)).status === 403);
    const path = pathOf(space.id, id);
    expect((await key.patch(path, { name: 'mine' })).status).toBe(403);
    expect((await key.post(`${path}/rotate`, {})).status).toBe(403);
    expect((await key.post(`${path}/revoke`, {})).status).toBe(403);
  });

  it('is recorded with each change, never with its seed', async () => {
    const { id, seed } = await create();
    await admin.patch(pathOf(space.id, id), { limits: { dailyTokens: 1 } });
    await admin.post(`${pathOf(space.id, id)}/rotate`, {});
    await admin.post(`${pathOf(space.id, id)}/revoke`, {});
    const events = (await space.owner.get(`/spaces/${space.id}/security-events?limit=100`)).body.data;
    const own = events.filter(({ target }: { target: string }) => target === id);
    expect(own.map(({ action }: { action: string }) => action)).toEqual([
      'nats-account.revoked',
      'nats-account.rotated',
      'nats-account.changed',
      'nats-account.created',
    ]);
    expect(JSON.stringify(events)).not.toContain(seed);
  });

  it('is one of at most a hundred, however many ask at once', async () => {
    const crowded = await platform.newSpace();
    const replies = await Promise.all(Array.from({ length: 104 }, () => ask({}, crowded.owner, crowded)));
    const statuses = replies.map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(100);
    expect(statuses.filter((status) => status === 409)).toHaveLength(4);
    const [first] = replies.filter(({ status }) => status === 201);
    await crowded.owner.post(`${pathOf(crowded.id, first?.body.data.id as string)}/revoke`, {});
    await create({}, crowded.owner, crowded);
  });
});

describe('a member who is removed', () => {
  it('is said to have seen the seeds of accounts that still work', async () => {
    const leaving = await space.member('ADMIN');
    const shown = await create({}, leaving);
    await create({ publicKey: createUser().getPublicKey() }, leaving);
    const ended = await create({}, leaving);
    await admin.post(`${pathOf(space.id, ended.id)}/revoke`, {});
    const renewed = await create({}, leaving);
    await admin.post(`${pathOf(space.id, renewed.id)}/rotate`, {});
    const removed = await space.owner.delete(`/spaces/${space.id}/members/${leaving.identity.userId}`);
    expect(removed.body.data.knows).toEqual([{ id: shown.id, name: shown.name }]);
    expect((await admin.get(pathOf(space.id, shown.id))).body.data.status).toBe('ACTIVE');
  });
});

describe('the rotation of an account', () => {
  it('gives a new user, and the old one until the grace ends', async () => {
    const account = await create();
    const rotate = (body: object) => admin.post(`${pathOf(space.id, account.id)}/rotate`, body);
    const rotated = (await rotate({ graceSeconds: 60 })).body.data;
    expect(rotated.publicKey).toBe(fromSeed(Buffer.from(rotated.seed as string)).getPublicKey());
    expect(rotated.publicKey).not.toBe(account.publicKey);
    const listed = await listedOf(account.id);
    expect(listed).toMatchObject({ publicKey: rotated.publicKey, previous: { publicKey: account.publicKey } });
    const again = (await rotate({})).body.data;
    expect(await listedOf(account.id)).toMatchObject({ publicKey: again.publicKey, previous: null });
    for (const graceSeconds of [-1, 86_401, 1.5, '1'])
      expect((await rotate({ graceSeconds })).body.code).toBe('VALIDATION_ERROR');
  });

  it('raises the revision once more when its grace has ended', async () => {
    const account = await create();
    await admin.post(`${pathOf(space.id, account.id)}/rotate`, { graceSeconds: 1 });
    const revision = await revisionFor(space.operator);
    await until(async () => (await listedOf(account.id)).previous === null);
    await until(async () => (await space.operator.get('/operator/nats-accounts')).body.revision > revision);
  });

  it('beside revocations leaves a revoked account', async () => {
    const account = await create();
    const path = pathOf(space.id, account.id);
    const replies = await Promise.all(
      Array.from({ length: 12 }, (_, at) => admin.post(`${path}/${at % 2 === 0 ? 'rotate' : 'revoke'}`, {})),
    );
    expect(replies.every(({ status }) => status === 200 || status === 409)).toBe(true);
    expect((await admin.get(path)).body.data.status).toBe('REVOKED');
    expect(await listedOf(account.id)).toMatchObject({ status: 'REVOKED', previous: null });
  });
});

describe('the list for NATS servers', () => {
  it('has pages with a revision that rises with each change, and takes what was loaded', async () => {
    const before = await revisionFor(space.operator);
    const { id, name, publicKey } = await create();
    const first = await space.operator.get('/operator/nats-accounts?limit=1');
    expect(first.body.revision).toBeGreaterThan(before);
    expect(first.body.data).toHaveLength(1);
    const second = await space.operator.get(`/operator/nats-accounts?limit=1&cursor=${first.body.page.nextCursor}`);
    expect(second.body.data[0].id).not.toBe(first.body.data[0].id);
    expect(await listedOf(id)).toEqual({
      id,
      spaceId: space.id,
      name,
      status: 'ACTIVE',
      publicKey,
      previous: null,
    });
    const { revision } = first.body;
    const report = (body: object) => space.operator.post('/operator/nats-accounts/loaded', body);
    expect((await report({ revision: 1 })).body.data.loadedRevision).toBeGreaterThanOrEqual(revision);
    for (const wrong of [{}, { revision: -1 }, { revision: '1' }, { revision: Number.MAX_SAFE_INTEGER }])
      expect(codeOf(await report(wrong))).toEqual([400, 'VALIDATION_ERROR']);
  });

  it('is for the scope operator:nats, and for no credential of a Space', async () => {
    const key = async (scopes: string[]): Promise<Client> => {
      const made = await space.operator.post('/operator/keys', { name: 'nats', scopes });
      return space.owner.as(`Bearer ${made.body.data.key as string}`);
    };
    const [nats, writes] = [await key(['operator:nats']), await key(['operator:write'])];
    const revision = await revisionFor(nats);
    for (const by of [admin, await space.key()]) {
      expect((await by.get('/operator/nats-accounts')).status).toBe(404);
      expect((await by.post('/operator/nats-accounts/loaded', { revision })).status).toBe(404);
    }
    expect((await writes.get('/operator/nats-accounts')).status).toBe(403);
    expect((await nats.get(pathOf(space.id))).status).toBe(403);
    expect((await platform.anonymous.get('/operator/nats-accounts')).status).toBe(401);
  });
});

interface Listed {
  publicKey: string;
  status: string;
  previous: { publicKey: string } | null;
}

async function listedOf(accountId: string): Promise<Listed> {
  let cursor = '';
  do {
    const page = await space.operator.get(`/operator/nats-accounts?limit=100${cursor}`);
    const found = page.body.data.find(({ id }: { id: string }) => id === accountId) as Listed | undefined;
    if (found) return found;
    cursor = `&cursor=${page.body.page.nextCursor as string}`;
  } while (cursor !== '&cursor=null');
  throw new Error('the account is not listed');
}
