import { type Client, type TestSpace, promised, until, usePlatform } from '@switchyard/testing';
import { bootstrapOperator, newOperator, operatorKey, personOfOwn, signInAgain } from './operator-people';

const platform = usePlatform();
let operator: Client;
let space: TestSpace;

beforeAll(async () => {
  operator = await newOperator(platform);
  space = await platform.newSpace();
});

/** As if the person had signed in so long ago, in every sign-in. */
const signedInAgo = (client: Client, interval: string): Promise<unknown> =>
  platform.database.query(`update key.sign_ins set signed_in_at = now() - $1::interval where user_id = $2`, [
    interval,
    client.identity.userId,
  ]);

/** A person in the person's own list of operators, which has pages. */
async function listedAs(client: Client): Promise<unknown> {
  let cursor = '';
  do {
    const { status, body } = await client.get(`/operator/operators?limit=100${cursor}`);
    expect(status).toBe(200);
    const own = (body.data as { id: string }[]).find(({ id }) => id === client.identity.userId);
    if (own) return own;
    cursor = `&cursor=${body.page.nextCursor as string}`;
  } while (cursor !== '&cursor=null');
  throw new Error('the operator is not listed');
}

describe('the routes of operators', () => {
  it('open for the account of the first start, and for those that it made operators', async () => {
    for (const client of [await bootstrapOperator(platform), operator]) {
      const own = await listedAs(client);
      expect(own).toEqual({
        id: client.identity.userId,
        email: client.identity.email,
        name: expect.any(String),
        operator: true,
        status: 'ACTIVE',
        spaces: expect.any(Array),
        createdAt: expect.any(String),
        lastSignInAt: expect.any(String),
      });
    }
  });

  it('open whichever Space the access token names', async () => {
    const joined = await space.join(operator, 'VIEWER');
    expect((await joined.get('/operator/operators')).status).toBe(200);
    expect((await joined.get('/auth/me')).body.data.space.id).toBe(space.id);
  });

  it('are not there for others, with the answer of an unknown path', async () => {
    const unknown = (await space.owner.get('/operator/nothing')).body;
    for (const client of [space.owner, await space.key(), await operatorsApiKey()]) {
      const { status, body } = await client.get('/operator/operators');
      expect({ status, body }).toEqual({ status: 404, body: unknown });
    }
  });

  it('need a credential that is valid', async () => {
    expect((await platform.anonymous.get('/operator/operators')).status).toBe(401);
    expect((await operator.as('Bearer nonsense').get('/operator/operators')).status).toBe(401);
  });

  /** An operator's key of a Space acts in that Space alone. */
  async function operatorsApiKey(): Promise<Client> {
    const made = await operator.post('/api-keys', { name: 'of the Space' });
    return operator.as(`Bearer ${made.body.data.key as string}`);
  }
});

describe('the key of an operator', () => {
  it('is shown once, and reads unless it is said otherwise', async () => {
    const made = await operator.post('/operator/keys', { name: ' monitoring ' });
    expect(made.status).toBe(201);
    const { key, ...record } = made.body.data;
    expect(key).toMatch(/^[A-Za-z0-9]{40}$/);
    expect(record).toEqual({
      id: expect.any(String),
      name: 'monitoring',
      description: null,
      type: 'OPERATOR',
      applicationId: null,
      last4: key.slice(-4),
      scopes: ['operator:read'],
      status: 'ACTIVE',
      expiresAt: null,
      lastUsedAt: null,
      createdBy: operator.identity.userId,
      createdAt: expect.any(String),
      revokedAt: null,
    });
    const listed = await operator.get('/operator/keys');
    expect(listed.body.data.find(({ id }: { id: string }) => id === record.id)).toEqual(record);
    expect(JSON.stringify(listed.body)).not.toContain(key);
  });

  it('takes scopes of operators alone', async () => {
    for (const scopes of [['*'], ['tasks:read'], ['operator:read', 'spaces:read'], []])
      expect((await operator.post('/operator/keys', { name: 'x', scopes })).status).toBe(400);
    expect((await operator.post('/operator/keys', {})).status).toBe(400);
    expect((await space.owner.post('/api-keys', { name: 'x', scopes: ['operator:read'] })).status).toBe(400);
  });

  it('comes without its value where a request is repeated', async () => {
    const headers = { 'idempotency-key': `once-${Date.now()}` };
    const first = await operator.post('/operator/keys', { name: 'once' }, { headers });
    const again = await operator.post('/operator/keys', { name: 'once' }, { headers });
    expect(again.status).toBe(201);
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect(again.body.data).toEqual({ ...first.body.data, key: undefined });
  });

  it('opens what its scopes say', async () => {
    const reader = await operatorKey(operator);
    const writer = await operatorKey(operator, ['operator:write']);
    const nats = await operatorKey(operator, ['operator:nats']);
    expect((await reader.get('/operator/keys')).status).toBe(200);
    expect((await writer.get('/operator/keys')).status).toBe(200);
    expect((await nats.get('/operator/keys')).status).toBe(403);
    const keyId = nats.identity.keyId ?? '';
    expect((await reader.post(`/operator/keys/${keyId}/revoke`, {})).status).toBe(403);
    expect((await writer.post(`/operator/keys/${keyId}/revoke`, {})).status).toBe(200);
    await until(async () => (await nats.get('/operator/keys')).status === 401);
  });

  it('is refused everywhere else, and unknown paths stay unknown', async () => {
    const key = await operatorKey(operator, ['operator:read', 'operator:write', 'operator:nats']);
    for (const path of ['/tasks', '/spaces', `/spaces/${space.id}`, '/agents', '/api-keys', '/activity'])
      expect((await key.get(path)).status).toBe(403);
    expect((await key.post('/auth/switch-space', { spaceId: space.id })).status).toBe(403);
    expect((await key.post('/auth/invitations/accept', { token: 'x' })).status).toBe(403);
    expect((await key.raw('GET', '/models/v1/models')).status).toBe(403);
    expect((await key.raw('POST', '/models/v1/chat/completions', {})).status).toBe(403);
    expect((await key.raw('POST', '/mcp', {})).status).toBe(403);
    expect((await key.get('/nothing/here')).status).toBe(404);
    expect((await key.get('/operator/nothing')).status).toBe(404);
  });

  it('is told who it is', async () => {
    const key = await operatorKey(operator, ['operator:write', 'operator:nats']);
    const { status, body } = await key.get('/auth/me');
    expect(status).toBe(200);
    expect(body.data).toEqual({
      user: null,
      space: null,
      role: null,
      credential: { type: 'api_key', keyId: key.identity.keyId, scopes: ['operator:write', 'operator:nats'] },
    });
  });

  it('makes no key, grants no person and rotates no key', async () => {
    const key = await operatorKey(operator, ['operator:write']);
    const id = operator.identity.userId ?? '';
    for (const path of [
      '/operator/keys',
      `/operator/keys/${key.identity.keyId ?? ''}/rotate`,
      `/operator/users/${id}/grant`,
      `/operator/users/${id}/revoke`,
    ]) {
      const { status, body } = await key.post(path, path === '/operator/keys' ? { name: 'x' } : {});
      expect({ path, status }).toEqual({ path, status: 403 });
      expect(body.message).toContain('sign in again');
    }
  });

  it('gets a new value, and the old one works in its grace', async () => {
    const key = await operatorKey(operator);
    const rotate = `/operator/keys/${key.identity.keyId ?? ''}/rotate`;
    const first = await operator.post(rotate, { graceSeconds: 3600 });
    expect(first.status).toBe(200);
    const second = key.as(`Bearer ${first.body.data.key as string}`);
    expect([(await key.get('/operator/keys')).status, (await second.get('/operator/keys')).status]).toEqual([200, 200]);
    await operator.post(rotate, {});
    await until(async () => (await key.get('/operator/keys')).status === 401);
    await until(async () => (await second.get('/operator/keys')).status === 401);
    expect((await operator.post(`/operator/keys/${operator.identity.userId ?? ''}/rotate`, {})).status).toBe(404);
  });
});

describe('an OPERATOR key of another maker', () => {
  it('is not rotated, so that it ends with its maker, and neither is one of the machine', async () => {
    const other = await newOperator(platform);
    const key = await operatorKey(operator);
    const rotate = `/operator/keys/${key.identity.keyId ?? ''}/rotate`;
    for (const makerId of [operator.identity.userId, null]) {
      await platform.database.query('update key.api_keys set created_by = $2 where id = $1', [
        key.identity.keyId,
        makerId,
      ]);
      const { status, body } = await other.post(rotate, {});
      expect([status, body.code]).toEqual([409, 'CONFLICT']);
      expect(body.message).toContain('Revoke it and make a new one');
    }
    expect((await key.get('/operator/keys')).status).toBe(200);
  });
});

describe('the sign-in of an operator', () => {
  it('is found among any number of accounts of the same e-mail', async () => {
    const other = await newOperator(platform);
    const { email, userId } = other.identity;
    await platform.database.query('delete from key.members where user_id = $1', [userId]);
    for (let n = 0; n < 6; n += 1) {
      const { id, owner } = await platform.newSpace();
      const password = 'another long password';
      expect((await owner.post(`/spaces/${id}/members`, { email, role: 'VIEWER', password })).status).toBe(201);
    }
    await platform.database.query(
      `update key.users set last_signed_in_at = now() + interval '1 hour' where email = $1 and id <> $2`,
      [email, userId],
    );
    const again = await signInAgain(platform, other);
    expect((await again.get('/operator/operators')).status).toBe(200);
  });
});

describe('making and unmaking operators', () => {
  it('needs a sign-in within the last ten minutes, which refreshing and switching keep', async () => {
    const old = await newOperator(platform);
    const other = await personOfOwn(platform);
    const grant = `/operator/users/${other.identity.userId ?? ''}/grant`;
    await signedInAgo(old, '11 minutes');
    const login = await platform.anonymous.post('/auth/login', {
      email: old.identity.email,
      password: old.identity.password,
    });
    const fresh = old.as(`Bearer ${login.body.data.accessToken as string}`);
    expect((await fresh.post(grant, {})).status).toBe(200);
    await signedInAgo(old, '11 minutes');

    const switched = await fresh.post('/auth/switch-space', { spaceId: login.body.data.space.id });
    const refreshed = await platform.anonymous.post('/auth/refresh', { refreshToken: login.body.data.refreshToken });
    for (const { body } of [switched, refreshed]) {
      const client = old.as(`Bearer ${body.data.accessToken as string}`);
      const refused = await client.post(grant, {});
      expect(refused.status).toBe(403);
      expect(refused.body.message).toContain('sign in again');
      expect((await client.get('/operator/operators')).status).toBe(200);
    }
  });

  it('takes effect within a second, and ends the keys of the former operator', async () => {
    const other = await newOperator(platform);
    const key = await operatorKey(other, ['operator:read']);
    expect((await key.get('/operator/operators')).status).toBe(200);
    const revoked = await operator.post(`/operator/users/${other.identity.userId ?? ''}/revoke`, {});
    expect(revoked.body.data).toMatchObject({ id: other.identity.userId, operator: false });
    await until(async () => (await other.get('/operator/operators')).status === 404, { timeoutMs: promised(1000) });
    await until(async () => (await key.get('/operator/operators')).status === 401, { timeoutMs: promised(1000) });
    expect((await other.get('/auth/me')).body.data.user.operator).toBeUndefined();
    // Granted again, it makes new keys: the old ones stay ended.
    await operator.post(`/operator/users/${other.identity.userId ?? ''}/grant`, {});
    await until(async () => (await other.get('/operator/operators')).status === 200);
    expect((await key.get('/operator/operators')).status).toBe(401);
  });

  it('takes no account whose password somebody else chose, until its owner has changed it', async () => {
    const member = await space.member('MEMBER');
    const grant = `/operator/users/${member.identity.userId ?? ''}/grant`;
    expect((await operator.post(grant, {})).body).toMatchObject({ code: 'CONFLICT' });
    const changed = await member.post('/auth/password', {
      currentPassword: member.identity.password,
      newPassword: 'another one of my own',
    });
    expect(changed.status).toBe(200);
    expect((await operator.post(grant, {})).status).toBe(200);
    expect((await operator.post(grant, {})).status).toBe(200);
    await operator.post(`/operator/users/${member.identity.userId ?? ''}/revoke`, {});
  });

  it('knows accounts alone', async () => {
    expect((await operator.post(`/operator/users/${space.id}/grant`, {})).status).toBe(404);
    expect((await operator.post(`/operator/users/${space.id}/revoke`, {})).status).toBe(404);
    expect((await operator.post('/operator/users/nobody/grant', {})).status).toBe(400);
  });
});

describe('GET /auth/me', () => {
  it('says who is an operator, and what the platform lets its accounts do', async () => {
    const platformFacts = { spaceCreation: expect.any(String), ownersMayCredit: expect.any(Boolean) };
    const me = (await (await signInAgain(platform, operator)).get('/auth/me')).body.data;
    expect(me.user.operator).toBe(true);
    expect(me.platform).toEqual(platformFacts);
    const ofOwner = (await space.owner.get('/auth/me')).body.data;
    expect(ofOwner.user).not.toHaveProperty('operator');
    expect(ofOwner.platform).toEqual(platformFacts);
  });
});
