import { randomBytes, randomUUID } from 'node:crypto';
import { type Client, type Reply, type TestSpace, promised, until, usePlatform } from '@switchyard/testing';
import { newOperator, operatorKey, personOfOwn, signInAgain } from './operator-people';

const platform = usePlatform();
const NEW_PASSWORD = 'a password after the reset';
let operator: Client;
let space: TestSpace;

beforeAll(async () => {
  operator = await newOperator(platform);
  space = await platform.newSpace();
});

const idOf = ({ identity }: Client): string => identity.userId ?? '';
const login = ({ identity }: Client, password = identity.password): Promise<Reply> =>
  platform.anonymous.post('/auth/login', { email: identity.email, password });
const resetOf = (client: Client): Promise<Reply> => operator.post(`/operator/users/${idOf(client)}/reset-password`, {});
const useReset = (token: string, password = NEW_PASSWORD): Promise<Reply> =>
  platform.anonymous.post('/auth/password/reset', { token, password });
const eventsOf = async (of: TestSpace, action: string): Promise<Record<string, unknown>[]> => {
  const { body } = await of.owner.get(`/spaces/${of.id}/security-events?limit=100`);
  return (body.data as Record<string, unknown>[]).filter((event) => event['action'] === action);
};

describe('the accounts of the platform', () => {
  it('are found by a part of the address or the name, in any case and without wildcards', async () => {
    const member = await space.member('MEMBER');
    const email = member.identity.email ?? '';
    const found = await operator.get(`/operator/users?q=${encodeURIComponent(email.slice(2).toUpperCase())}`);
    expect(found.body.data).toEqual([
      {
        id: idOf(member),
        email,
        name: expect.any(String),
        operator: false,
        status: 'ACTIVE',
        spaces: [{ id: space.id, name: expect.any(String), role: 'MEMBER' }],
        createdAt: expect.any(String),
        lastSignInAt: expect.any(String),
      },
    ]);
    expect((await operator.get(`/operator/users/${idOf(member)}`)).body.data).toEqual(found.body.data[0]);
    for (const q of [`${email.slice(0, 3)}%`, email.replace('-', '_')])
      expect((await operator.get(`/operator/users?q=${encodeURIComponent(q)}`)).body.data).toEqual([]);
    expect((await operator.get(`/operator/users/${space.id}`)).status).toBe(404);
    expect((await operator.get('/operator/users?q=')).status).toBe(400);
  });

  it('are listed page by page, newest first', async () => {
    const first = await operator.get('/operator/users?limit=2');
    const next = await operator.get(`/operator/users?limit=2&cursor=${first.body.page.nextCursor as string}`);
    const times = [...first.body.data, ...next.body.data].map(({ createdAt }: { createdAt: string }) => createdAt);
    expect(times).toEqual([...times].sort().reverse());
    expect(times).toHaveLength(4);
  });
});

describe('a reset of a password', () => {
  it('changes nothing until it is used, and then ends the old password and all sign-ins', async () => {
    const member = await space.member('MEMBER');
    const issued = await resetOf(member);
    expect(issued.status).toBe(200);
    expect(issued.body.data).toEqual({
      token: expect.stringMatching(/^[\w-]{43}$/),
      expiresAt: expect.any(String),
    });
    expect(issued.headers['cache-control']).toContain('no-store');
    expect((Date.parse(issued.body.data.expiresAt) - Date.now()) / 60_000).toBeCloseTo(60, 0);
    expect([(await login(member)).status, (await member.get('/auth/me')).status]).toEqual([200, 200]);

    expect((await useReset(issued.body.data.token, 'short')).status).toBe(400);
    expect((await useReset(issued.body.data.token)).status).toBe(200);
    expect([(await login(member)).status, (await login(member, NEW_PASSWORD)).status]).toEqual([401, 200]);
    await until(async () => (await member.get('/auth/me')).status === 401, { timeoutMs: promised(1000) });
  });

  it('is not made again for the same idempotency key, and its token is not shown again', async () => {
    const member = await space.member('MEMBER');
    const headers = { 'idempotency-key': randomUUID() };
    const reset = () => operator.post(`/operator/users/${idOf(member)}/reset-password`, {}, { headers });
    const first = await reset();
    const again = await reset();
    expect([again.status, again.headers['idempotency-replayed'], again.headers['cache-control']]).toEqual([
      200,
      'true',
      'no-store',
    ]);
    expect(again.body.data).toEqual({ expiresAt: first.body.data.expiresAt });
    expect((await eventsOf(space, 'user.password.reset')).filter(({ target }) => target === idOf(member))).toHaveLength(
      1,
    );
    expect((await useReset(first.body.data.token)).status).toBe(200);
  });

  it('is one and the same 404 where the token is wrong, used, replaced or over', async () => {
    const member = await space.member('MEMBER');
    const replaced = (await resetOf(member)).body.data.token as string;
    const used = (await resetOf(member)).body.data.token as string;
    expect((await useReset(used)).status).toBe(200);
    const over = (await resetOf(member)).body.data.token as string;
    await platform.database.query(
      `update key.password_resets set expires_at = now() - interval '1 second' where user_id = $1`,
      [idOf(member)],
    );
    const answers = [];
    for (const token of [randomBytes(32).toString('base64url'), 'no token at all', replaced, used, over])
      answers.push(await useReset(token));
    for (const { status, body } of answers) {
      expect(status).toBe(404);
      expect(body).toEqual(answers[0]?.body);
    }
  });

  it('is a security event of each Space of the person, done by the operator', async () => {
    const other = await platform.newSpace();
    const member = await space.member('MEMBER');
    await other.join(member, 'VIEWER');
    await resetOf(member);
    for (const each of [space, other]) {
      const events = (await eventsOf(each, 'user.password.reset')).filter(({ target }) => target === idOf(member));
      expect(events).toEqual([
        expect.objectContaining({
          actor: { type: 'operator', id: idOf(operator) },
          actorUserId: idOf(operator),
          target: idOf(member),
        }),
      ]);
    }
  });

  it('is refused for operators, accounts without a password, keys, and old sign-ins', async () => {
    const colleague = await newOperator(platform);
    const refused = await resetOf(colleague);
    expect(refused.body).toMatchObject({ code: 'CONFLICT', message: expect.stringContaining('npm run operator') });
    const member = await space.member('MEMBER');
    await platform.database.query('update key.users set password_hash = null where id = $1', [idOf(member)]);
    expect((await resetOf(member)).body.code).toBe('CONFLICT');
    expect((await operator.post(`/operator/users/${space.id}/reset-password`, {})).status).toBe(404);
    const key = await operatorKey(operator, ['operator:write']);
    const byKey = await key.post(`/operator/users/${idOf(member)}/reset-password`, {});
    expect(byKey.body).toMatchObject({ code: 'FORBIDDEN', message: expect.stringContaining('sign in again') });
  });

  it('is open to an account whose issuer is not configured any more', async () => {
    const member = await space.member('MEMBER');
    await platform.database.query('update key.users set password_hash = null where id = $1', [idOf(member)]);
    await platform.database.query(
      `insert into key.external_identities (issuer, subject, user_id) values ('https://former.example', $1, $2)`,
      [randomUUID(), idOf(member)],
    );
    const { status, body } = await resetOf(member);
    expect(status).toBe(200);
    expect((await useReset(body.data.token)).status).toBe(200);
  });

  it('ends when the account becomes an operator', async () => {
    const person = await personOfOwn(platform);
    const { token } = (await resetOf(person)).body.data;
    expect((await operator.post(`/operator/users/${idOf(person)}/grant`, {})).status).toBe(200);
    expect((await useReset(token)).status).toBe(404);
    await operator.post(`/operator/users/${idOf(person)}/revoke`, {});
  });
});

describe('a disabled account', () => {
  it('opens nothing within a second, keeps its memberships, and is named as the last OWNER', async () => {
    const person = await personOfOwn(platform);
    const { space: own } = (await person.get('/auth/me')).body.data;
    const made = await person.post('/api-keys', { name: 'its key' });
    const key = person.as(`Bearer ${made.body.data.key as string}`);
    const guest = await space.join(person, 'OWNER');
    expect((await key.get('/auth/me')).status).toBe(200);

    // The founder of the Space, and the OWNER of its tests, are OWNERs as well: a Space of one OWNER is its own alone.
    await platform.database.query(`update key.members set role = 'ADMIN' where space_id = $1 and user_id <> $2`, [
      own.id,
      idOf(person),
    ]);
    const disabled = await operator.post(`/operator/users/${idOf(person)}/disable`, {});
    expect(disabled.status).toBe(200);
    expect(disabled.body.data).toMatchObject({
      id: idOf(person),
      status: 'DISABLED',
      lastOwnerOf: [{ id: own.id, name: own.name }],
    });
    expect(disabled.body.data.spaces).toHaveLength(2);
    for (const client of [person, guest, key])
      await until(async () => (await client.get('/auth/me')).status === 401, { timeoutMs: promised(1000) });
    expect((await login(person)).status).toBe(401);

    const enabled = await operator.post(`/operator/users/${idOf(person)}/enable`, {});
    expect(enabled.body.data).toMatchObject({ id: idOf(person), status: 'ACTIVE' });
    await until(async () => (await key.get('/auth/me')).status === 200);
    expect([(await person.get('/auth/me')).status, (await guest.get('/auth/me')).status]).toEqual([401, 401]);
    expect((await login(person)).status).toBe(200);
  });

  it('is named as the last OWNER if no other OWNER can sign in', async () => {
    const own = await platform.newSpace();
    const [one, other] = [await own.member('OWNER'), await own.member('OWNER')];
    await platform.database.query(
      `update key.members set role = 'MEMBER' where space_id = $1 and user_id <> all($2::uuid[])`,
      [own.id, [idOf(one), idOf(other)]],
    );
    const disabled = async () => {
      const { body } = await operator.post(`/operator/users/${idOf(one)}/disable`, {});
      return body.data.lastOwnerOf as { id: string }[];
    };
    expect(await disabled()).toEqual([]);
    await platform.database.query('update key.users set password_hash = null where id = $1', [idOf(other)]);
    await platform.database.query(
      `insert into key.external_identities (issuer, subject, user_id) values ('https://former.example', $1, $2)`,
      [randomUUID(), idOf(other)],
    );
    expect((await disabled()).map(({ id }) => id)).toEqual([own.id]);
  });

  it('can be disabled by a key that may write, and twice', async () => {
    const member = await space.member('MEMBER');
    const key = await operatorKey(operator, ['operator:write']);
    const disable = `/operator/users/${idOf(member)}/disable`;
    expect([(await key.post(disable, {})).status, (await key.post(disable, {})).status]).toEqual([200, 200]);
    const events = (await eventsOf(space, 'user.disabled')).filter(({ target }) => target === idOf(member));
    expect(events).toHaveLength(1);
    expect((await (await operatorKey(operator)).post(disable, {})).status).toBe(403);
    expect((await operator.post(`/operator/users/${space.id}/disable`, {})).status).toBe(404);
  });

  it('refreshes no sign-in', async () => {
    const person = await personOfOwn(platform);
    const { refreshToken } = (await login(person)).body.data;
    await operator.post(`/operator/users/${idOf(person)}/disable`, {});
    await operator.post(`/operator/users/${idOf(person)}/enable`, {});
    expect((await platform.anonymous.post('/auth/refresh', { refreshToken })).status).toBe(401);
  });

  it('ends the keys that it has made as an operator, until it is enabled', async () => {
    const colleague = await newOperator(platform);
    const key = await operatorKey(colleague);
    expect((await key.get('/operator/keys')).status).toBe(200);
    await operator.post(`/operator/users/${idOf(colleague)}/disable`, {});
    await until(async () => (await key.get('/operator/keys')).status === 401);
    await operator.post(`/operator/users/${idOf(colleague)}/enable`, {});
    await until(async () => (await key.get('/operator/keys')).status === 200);
  });
});

describe('an operator without a Space', () => {
  async function alone(): Promise<Client> {
    const person = await newOperator(platform);
    const { space: own } = (await person.get('/auth/me')).body.data;
    await platform.database.query(`update key.members set role = 'OWNER' where space_id = $1`, [own.id]);
    const reply = await person.delete(`/spaces/${own.id as string}/members/${idOf(person)}`);
    expect(reply.status).toBe(200);
    return person;
  }

  it('keeps the account, and signs in without one', async () => {
    const person = await alone();
    const { status, body } = await login(person);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ space: null, user: { id: idOf(person), operator: true } });
    const signedIn = person.as(`Bearer ${body.data.accessToken as string}`);
    expect((await signedIn.get('/auth/me')).body.data).toMatchObject({
      user: { id: idOf(person), operator: true },
      space: null,
      role: null,
      credential: { type: 'jwt' },
    });
    expect((await signedIn.get('/operator/operators')).status).toBe(200);
    const refreshed = await platform.anonymous.post('/auth/refresh', { refreshToken: body.data.refreshToken });
    expect(refreshed.body.data).toMatchObject({ space: null });
    expect((await person.as(`Bearer ${refreshed.body.data.accessToken as string}`).get('/auth/me')).status).toBe(200);
  });

  it('may use its account, its Spaces and the routes of operators, and nothing else', async () => {
    const person = await signInAgain(platform, await alone());
    for (const path of ['/tasks', `/spaces/${space.id}`, '/api-keys', '/activity', `/spaces/${space.id}/members`])
      expect((await person.get(path)).status).toBe(403);
    expect((await person.raw('GET', '/models/v1/models')).status).toBe(403);
    expect((await person.raw('POST', '/mcp', {})).status).toBe(403);
    expect((await person.get('/spaces')).body.data).toEqual([]);
    expect((await person.post('/auth/switch-space', { spaceId: space.id })).status).toBe(404);
    const headers = { 'idempotency-key': randomBytes(6).toString('hex') };
    const made = await person.post('/spaces', { name: 'of an operator' }, { headers });
    expect(made.status).toBe(201);
    const again = await person.post('/spaces', { name: 'of an operator' }, { headers });
    expect(again.body.data.id).toBe(made.body.data.id);
    const switched = await person.post('/auth/switch-space', { spaceId: made.body.data.id });
    expect(switched.body.data.space).toMatchObject({ id: made.body.data.id, role: 'OWNER' });
    const changed = await person.post('/auth/password', {
      currentPassword: person.identity.password,
      newPassword: NEW_PASSWORD,
    });
    expect(changed.status).toBe(200);
    const invited = await space.owner.post(`/spaces/${space.id}/members`, {
      email: `guest-${randomBytes(6).toString('hex')}@test.example`,
      role: 'VIEWER',
    });
    const { token } = invited.body.data.invitation;
    expect((await person.post('/auth/invitations/accept', { token })).body.data.space.id).toBe(space.id);
  });

  it('opens nothing when it is an operator no more', async () => {
    const person = await signInAgain(platform, await alone());
    await operator.post(`/operator/users/${idOf(person)}/revoke`, {});
    await until(async () => (await person.get('/auth/me')).status === 401);
    expect((await login(person)).status).toBe(401);
  });
});
