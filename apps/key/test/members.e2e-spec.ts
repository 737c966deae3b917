import { randomBytes } from 'node:crypto';
import { type Client, type TestSpace, signIn, promised, until, usePlatform } from '@switchyard/testing';

const platform = usePlatform();
const NOBODY = '01890000-0000-7000-8000-000000000000';
const PASSWORD = 'a quite long password';
const someone = (): string => `someone-${randomBytes(6).toString('hex')}@test.example`;
const idOf = (client: Client): string => client.identity.userId ?? '';

const members = (space: TestSpace): string => `/spaces/${space.id}/members`;

describe('POST /spaces/{spaceId}/members', () => {
  it('adds a new person, who can sign in', async () => {
    const space = await platform.newSpace();
    const email = someone();
    const { status, body } = await space.owner.post(members(space), {
      email: email.toUpperCase(),
      role: 'MEMBER',
      password: PASSWORD,
    });
    expect(status).toBe(201);
    expect(body.data).toEqual({
      userId: expect.any(String),
      email,
      name: email.split('@')[0],
      role: 'MEMBER',
      status: 'ACTIVE',
      createdAt: expect.any(String),
    });
    const client = await signIn(platform.anonymous, email, PASSWORD);
    expect((await client.get('/auth/me')).body.data.user.id).toBe(body.data.userId);
  });

  it('refuses a member who is there already with 409', async () => {
    const space = await platform.newSpace();
    const body = { email: someone(), role: 'MEMBER' };
    expect((await space.owner.post(members(space), body)).status).toBe(201);
    const again = await space.owner.post(members(space), body);
    expect([again.status, again.body.code]).toEqual([409, 'CONFLICT']);
  });

  it('makes one member of parallel additions of one address', async () => {
    const space = await platform.newSpace();
    const email = someone();
    const bodies = [1, 2, 3, 4].map((n) => ({ email, role: 'MEMBER', ...(n % 2 ? { password: PASSWORD } : {}) }));
    const replies = await Promise.all(bodies.map((body) => space.owner.post(members(space), body)));
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
  });

  it('gives the first answer again for the same idempotency key', async () => {
    const space = await platform.newSpace();
    const options = { headers: { 'idempotency-key': 'one' } };
    const body = { email: someone(), role: 'MEMBER' };
    const first = await space.owner.post(members(space), body, options);
    const again = await space.owner.post(members(space), body, options);
    expect([again.status, again.headers['idempotency-replayed']]).toEqual([201, 'true']);
    const { invitation, ...shown } = first.body.data;
    expect(invitation.token).toEqual(expect.any(String));
    expect(again.body.data).toEqual(shown);
  });

  it.each([
    [{ role: 'MEMBER' }],
    [{ email: 'x@test.example' }],
    [{ email: 'not-an-address', role: 'MEMBER' }],
    [{ email: 'a b@test.example', role: 'MEMBER' }],
    [{ email: 'a\u200bb@test.example', role: 'MEMBER' }],
    [{ email: 'x@test.example', role: 'member' }],
    [{ email: 'x@test.example', role: 'ROOT' }],
    [{ email: 'x@test.example', role: 'MEMBER', password: 'elevenchars' }],
    [{ email: 'x@test.example', role: 'MEMBER', password: null }],
    [{ email: 'x@test.example', role: 'MEMBER', userId: NOBODY }],
  ])('refuses %j', async (body) => {
    const space = await platform.newSpace();
    const reply = await space.owner.post(members(space), body);
    expect([reply.status, reply.body.code]).toEqual([400, 'VALIDATION_ERROR']);
  });

  it('lets an ADMIN add any role but OWNER, and refuses roles below ADMIN', async () => {
    const space = await platform.newSpace();
    const admin = await space.member('ADMIN');
    expect((await admin.post(members(space), { email: someone(), role: 'ADMIN' })).status).toBe(201);
    const owner = await admin.post(members(space), { email: someone(), role: 'OWNER' });
    expect([owner.status, owner.body.code]).toEqual([403, 'FORBIDDEN']);
    for (const role of ['MEMBER', 'VIEWER'] as const) {
      expect((await (await space.member(role)).post(members(space), { email: someone(), role: 'VIEWER' })).status).toBe(
        403,
      );
    }
    expect(
      (await (await space.key({ scopes: ['spaces:read'] })).post(members(space), { email: someone(), role: 'VIEWER' }))
        .status,
    ).toBe(403);
    expect(
      (await (await space.key({ scopes: ['spaces:write'] })).post(members(space), { email: someone(), role: 'VIEWER' }))
        .status,
    ).toBe(201);
  });
});

describe('GET /spaces/{spaceId}/members', () => {
  it('lists them newest first, for ADMIN and up', async () => {
    const space = await platform.newSpace();
    const admin = await space.member('ADMIN');
    const member = await space.member('MEMBER');
    const { status, body } = await admin.get(`${members(space)}?limit=2`);
    expect(status).toBe(200);
    expect(body.data.map((row: { userId: string }) => row.userId)).toEqual([idOf(member), idOf(admin)]);
    const rest = await admin.get(`${members(space)}?limit=2&cursor=${body.page.nextCursor}`);
    expect(rest.body.data.map((row: { role: string }) => row.role)).toEqual(['OWNER', 'OWNER']);
    expect(JSON.stringify(body)).not.toMatch(/password|hash/i);
    expect((await member.get(members(space))).status).toBe(403);
  });
});

describe('PATCH and DELETE /spaces/{spaceId}/members/{userId}', () => {
  it('changes a role, which holds for the next request', async () => {
    const space = await platform.newSpace();
    const member = await space.member('MEMBER');
    expect((await member.post('/api-keys', { name: 'x' })).status).toBe(201);
    const { status, body } = await space.owner.patch(`${members(space)}/${idOf(member)}`, { role: 'VIEWER' });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ userId: idOf(member), role: 'VIEWER' });
    await until(async () => (await member.post('/api-keys', { name: 'x' })).status === 403, {
      timeoutMs: promised(1000),
    });
    expect((await member.get('/auth/me')).body.data.role).toBe('VIEWER');
  });

  it('takes the new role to the keys of the person', async () => {
    const space = await platform.newSpace();
    const admin = await space.member('ADMIN');
    const key = await space.key({}, admin);
    expect((await key.get(members(space))).status).toBe(200);
    await space.owner.patch(`${members(space)}/${idOf(admin)}`, { role: 'MEMBER' });
    await until(async () => (await key.get(members(space))).status === 403, { timeoutMs: promised(1000) });
  });

  it('ends the tokens and keys of somebody who is removed', async () => {
    const space = await platform.newSpace();
    const member = await space.member('MEMBER');
    const key = await space.key({}, member);
    expect([(await member.get('/auth/me')).status, (await key.get('/auth/me')).status]).toEqual([200, 200]);
    const removed = await space.owner.delete(`${members(space)}/${idOf(member)}`);
    expect([removed.status, removed.body.data]).toEqual([200, { id: idOf(member), deleted: true }]);
    await until(
      async () => (await member.get('/auth/me')).status === 401 && (await key.get('/auth/me')).status === 401,
      { timeoutMs: promised(1000) },
    );
    expect((await space.owner.delete(`${members(space)}/${idOf(member)}`)).status).toBe(404);
  });

  it('does not wake old keys when the person comes back', async () => {
    const space = await platform.newSpace();
    const member = await (await platform.newSpace()).member('MEMBER');
    const there = await space.join(member, 'MEMBER');
    const key = await space.key({}, there);
    await space.owner.delete(`${members(space)}/${idOf(member)}`);
    expect((await there.get('/auth/me')).status).toBe(401);
    const { email, password } = member.identity;
    await space.join(member, 'ADMIN');
    await signIn(platform.anonymous, email ?? '', password ?? '', space.id);
    expect((await key.get('/auth/me')).status).toBe(401);
    expect((await there.get('/auth/me')).status).toBe(401);
    expect((await member.get('/auth/me')).status).toBe(200);
  });

  it('keeps the last OWNER', async () => {
    const space = await platform.newSpace();
    const maker = space.owner;
    const spaceId = await space.anotherOf(maker, 'of one');
    const tokens = await maker.post('/auth/switch-space', { spaceId });
    const only = maker.as(`Bearer ${tokens.body.data.accessToken}`, maker.identity);
    const self = `/spaces/${spaceId}/members/${idOf(maker)}`;
    for (const reply of [await only.delete(self), await only.patch(self, { role: 'ADMIN' })]) {
      expect([reply.status, reply.body.code]).toEqual([409, 'CONFLICT']);
    }
    expect((await only.patch(self, { role: 'OWNER' })).status).toBe(200);
  });

  it('keeps one OWNER when two take the role off each other at the same moment', async () => {
    for (let round = 0; round < 5; round += 1) {
      const space = await platform.newSpace();
      const list = await space.owner.get(members(space));
      const owners = list.body.data
        .filter((row: { role: string }) => row.role === 'OWNER')
        .map((row: { userId: string }) => row.userId);
      expect(owners).toHaveLength(2);
      const replies = await Promise.all(
        owners.map((id: string) => space.owner.patch(`${members(space)}/${id}`, { role: 'ADMIN' })),
      );
      expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    }
  });

  it('lets only an OWNER touch an OWNER', async () => {
    const space = await platform.newSpace();
    const admin = await space.member('ADMIN');
    const owner = await space.member('OWNER');
    const member = await space.member('MEMBER');
    expect((await admin.delete(`${members(space)}/${idOf(owner)}`)).status).toBe(403);
    expect((await admin.patch(`${members(space)}/${idOf(owner)}`, { role: 'VIEWER' })).status).toBe(403);
    expect((await admin.patch(`${members(space)}/${idOf(member)}`, { role: 'OWNER' })).status).toBe(403);
    expect((await admin.patch(`${members(space)}/${idOf(admin)}`, { role: 'OWNER' })).status).toBe(403);
    expect((await admin.patch(`${members(space)}/${idOf(member)}`, { role: 'ADMIN' })).status).toBe(200);
    expect((await space.owner.delete(`${members(space)}/${idOf(owner)}`)).status).toBe(200);
    expect((await member.patch(`${members(space)}/${idOf(member)}`, { role: 'VIEWER' })).status).toBe(200);
  });

  it('is closed to MEMBER and VIEWER, and 404 from other Spaces', async () => {
    const space = await platform.newSpace();
    const target = `${members(space)}/${idOf(space.owner)}`;
    for (const role of ['MEMBER', 'VIEWER'] as const) {
      const client = await space.member(role);
      expect((await client.patch(target, { role: 'VIEWER' })).status).toBe(403);
      expect((await client.delete(target)).status).toBe(403);
    }
    const foreign = (await platform.newSpace()).owner;
    expect((await foreign.patch(target, { role: 'VIEWER' })).status).toBe(404);
    expect((await foreign.delete(target)).status).toBe(404);
    expect((await foreign.get(members(space))).status).toBe(404);
    expect((await foreign.post(members(space), { email: someone(), role: 'VIEWER' })).status).toBe(404);
    const stranger = await (await platform.newSpace()).member('VIEWER');
    expect((await stranger.get(members(space))).status).toBe(404);
    expect((await stranger.patch(`/spaces/${space.id}`, { name: 'Mine' })).status).toBe(404);
  });

  it('answers 404 for somebody who is no member, 400 for what is no id or no role', async () => {
    const space = await platform.newSpace();
    expect((await space.owner.patch(`${members(space)}/${NOBODY}`, { role: 'VIEWER' })).status).toBe(404);
    expect((await space.owner.delete(`${members(space)}/${NOBODY}`)).status).toBe(404);
    expect((await space.owner.delete(`${members(space)}/x`)).status).toBe(400);
    for (const body of [{}, { role: 'KING' }, { role: 'VIEWER', email: 'x@test.example' }]) {
      expect((await space.owner.patch(`${members(space)}/${NOBODY}`, body)).status).toBe(400);
    }
  });
});
