import { randomBytes } from 'node:crypto';
import { type Client, type Reply, type TestSpace, signIn, usePlatform } from '@switchyard/testing';

const platform = usePlatform();
const PASSWORD = 'a quite long password';
const OTHER = 'quite another password';
const someone = (): string => `someone-${randomBytes(6).toString('hex')}@test.example`;
const idOf = (client: Client): string => client.identity.userId ?? '';
const members = (space: TestSpace): string => `/spaces/${space.id}/members`;

const invite = async (space: TestSpace, email = someone(), role = 'MEMBER', by = space.owner): Promise<Reply> =>
  by.post(members(space), { email, role });
const tokenOf = (reply: Reply): string => reply.body.data.invitation.token as string;
const accept = (body: object, as: Client = platform.anonymous): Promise<Reply> =>
  as.post('/auth/invitations/accept', body);
const login = (body: object): Promise<Reply> => platform.anonymous.post('/auth/login', body);

async function account(email: string, password: string): Promise<{ space: TestSpace; id: string }> {
  const space = await platform.newSpace();
  const added = await space.owner.post(members(space), { email, role: 'MEMBER', password });
  expect(added.status).toBe(201);
  return { space, id: added.body.data.userId as string };
}

describe('an invitation', () => {
  it('shows its token once and stands among the members until it is accepted', async () => {
    const space = await platform.newSpace();
    const email = someone();
    const made = await invite(space, email.toUpperCase());
    expect(made.status).toBe(201);
    expect(made.body.data).toEqual({
      userId: expect.any(String),
      email,
      name: email.split('@')[0],
      role: 'MEMBER',
      status: 'INVITED',
      createdAt: expect.any(String),
      invitation: { token: expect.stringMatching(/^[\w-]{43}$/), expiresAt: expect.any(String) },
    });
    const hours = (Date.parse(made.body.data.invitation.expiresAt as string) - Date.now()) / 3_600_000;
    expect(hours).toBeGreaterThan(71);
    expect(hours).toBeLessThan(73);
    const listed = await space.owner.get(members(space));
    const { invitation, ...shown } = made.body.data;
    expect(listed.body.data[0]).toEqual(shown);
    expect(JSON.stringify(listed.body)).not.toContain(invitation.token);
    expect((await login({ email, password: PASSWORD, spaceId: space.id })).status).toBe(401);
  });

  it('makes an account of the Space with the password of the invited person', async () => {
    const space = await platform.newSpace();
    const email = someone();
    const made = await invite(space, email, 'ADMIN');
    const accepted = await accept({ token: tokenOf(made), password: PASSWORD });
    expect(accepted.status).toBe(200);
    expect(accepted.body.data).toMatchObject({ user: { email }, space: { id: space.id, role: 'ADMIN' } });
    const client = platform.anonymous.as(`Bearer ${accepted.body.data.accessToken}`);
    expect((await client.get('/auth/me')).body.data.role).toBe('ADMIN');
    expect((await login({ email, password: PASSWORD })).status).toBe(200);
    const [listed] = (await space.owner.get(members(space))).body.data;
    expect(listed).toMatchObject({ userId: accepted.body.data.user.id, status: 'ACTIVE', email });
  });

  it('brings the account of a signed-in user into the Space', async () => {
    const home = await platform.newSpace();
    const user = await home.member('VIEWER');
    const space = await platform.newSpace();
    const made = await invite(space, user.identity.email);
    const accepted = await accept({ token: tokenOf(made) }, user);
    expect(accepted.body.data).toMatchObject({ user: { id: idOf(user) }, space: { id: space.id, role: 'MEMBER' } });
    const { email, password } = user.identity;
    expect((await login({ email, password, spaceId: space.id })).status).toBe(200);
    const [listed] = (await space.owner.get(members(space))).body.data;
    expect(listed).toMatchObject({ userId: idOf(user), status: 'ACTIVE', email });
    expect(listed).not.toHaveProperty('invitedEmail');
  });

  it('tells the Space when the account that joined has another address', async () => {
    const user = await (await platform.newSpace()).member();
    const space = await platform.newSpace();
    const invited = someone();
    expect((await accept({ token: tokenOf(await invite(space, invited)) }, user)).status).toBe(200);
    const [listed] = (await space.owner.get(members(space))).body.data;
    expect(listed).toMatchObject({ email: user.identity.email, invitedEmail: invited });
  });

  it('works once, also when a hundred accept it at the same moment', async () => {
    const space = await platform.newSpace();
    const email = someone();
    const token = tokenOf(await invite(space, email));
    const others = await Promise.all([1, 2, 3].map(async () => (await platform.newSpace()).member()));
    const replies = await Promise.all(
      Array.from({ length: 100 }, (_, i) => {
        const other = others[i % 10];
        return other ? accept({ token }, other) : accept({ token, password: PASSWORD });
      }),
    );
    const statuses = replies.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status === 404)).toHaveLength(99);
    expect((await space.owner.get(members(space))).body.data).toHaveLength(3);
    expect((await accept({ token, password: PASSWORD })).status).toBe(404);
  });

  it('is withdrawn by DELETE of the member, and can be changed in its role', async () => {
    const space = await platform.newSpace();
    const email = someone();
    const made = await invite(space, email, 'VIEWER');
    const context = `${members(space)}/${made.body.data.userId}`;
    const changed = await space.owner.patch(context, { role: 'ADMIN' });
    expect(changed.body.data).toMatchObject({ role: 'ADMIN', status: 'INVITED' });
    const removed = await space.owner.delete(context);
    expect([removed.status, removed.body.data]).toEqual([200, { id: made.body.data.userId, deleted: true }]);
    expect((await accept({ token: tokenOf(made), password: PASSWORD })).status).toBe(404);
    const again = await invite(space, email);
    expect((await accept({ token: tokenOf(again), password: PASSWORD })).status).toBe(200);
  });

  it('is refused for an address that the Space has or has invited', async () => {
    const space = await platform.newSpace();
    const member = await space.member();
    for (const password of [undefined, PASSWORD]) {
      const there = await space.owner.post(members(space), { email: member.identity.email, role: 'VIEWER', password });
      expect([there.status, there.body.code]).toEqual([409, 'CONFLICT']);
    }
    const email = someone();
    expect((await invite(space, email)).status).toBe(201);
    expect((await invite(space, email)).status).toBe(409);
    expect((await space.owner.post(members(space), { email, role: 'VIEWER', password: PASSWORD })).status).toBe(409);
  });

  it('ends with the right of its maker to grant it', async () => {
    const space = await platform.newSpace();
    const owner = await space.member('OWNER');
    const back = await invite(space, someone(), 'OWNER', owner);
    const helper = await invite(space, someone(), 'ADMIN', owner);
    await space.owner.patch(`${members(space)}/${idOf(owner)}`, { role: 'ADMIN' });
    expect((await accept({ token: tokenOf(back), password: PASSWORD })).status).toBe(404);
    await space.owner.delete(`${members(space)}/${idOf(owner)}`);
    expect((await accept({ token: tokenOf(helper), password: PASSWORD })).status).toBe(404);
    const admin = await space.member('ADMIN');
    const reply = await invite(space, someone(), 'OWNER', admin);
    expect([reply.status, reply.body.code]).toEqual([403, 'FORBIDDEN']);
  });

  it('refuses what is no token, a key, a member, and a password where none belongs', async () => {
    const space = await platform.newSpace();
    const token = tokenOf(await invite(space));
    const unknown = randomBytes(32).toString('base64url');
    for (const no of [unknown, 'x', `${token}x`]) {
      const reply = await accept({ token: no, password: PASSWORD });
      expect([reply.status, reply.body.code]).toEqual([404, 'NOT_FOUND']);
    }
    const user = await (await platform.newSpace()).member();
    for (const [body, as] of [
      [{ token }, platform.anonymous],
      [{ token, password: 'elevenchars' }, platform.anonymous],
      [{ token, password: PASSWORD }, user],
      [{ password: PASSWORD }, platform.anonymous],
    ] as const) {
      const reply = await accept(body, as);
      expect([reply.status, reply.body.code]).toEqual([400, 'VALIDATION_ERROR']);
    }
    expect((await accept({ token }, await space.key())).status).toBe(403);
    expect((await accept({ token }, platform.anonymous.as('Bearer a.b.c'))).status).toBe(401);
    expect((await accept({ token }, space.owner)).status).toBe(409);
    expect((await accept({ token, password: PASSWORD })).status).toBe(200);
  });

  it('is over after its time', async () => {
    const space = await platform.newSpace();
    const email = someone();
    const made = await invite(space, email);
    await platform.database.query('update key.invitations set expires_at = now() where id = $1', [
      made.body.data.userId,
    ]);
    expect((await accept({ token: tokenOf(made), password: PASSWORD })).status).toBe(404);
    expect((await space.owner.get(members(space))).body.data).toHaveLength(2);
    expect((await invite(space, email)).status).toBe(201);
  });

  it('is kept as a digest alone, and logged', async () => {
    const space = await platform.newSpace();
    const made = await invite(space);
    const token = tokenOf(made);
    for (const table of ['invitations', 'space_events', 'idempotency']) {
      const found = await platform.database.query(`select 1 from key.${table} t where t::text like $1`, [`%${token}%`]);
      expect(found).toEqual([]);
    }
    await accept({ token, password: PASSWORD });
    const events = (await space.owner.get(`/spaces/${space.id}/security-events`)).body.data as { action: string }[];
    expect(events.map(({ action }) => action)).toEqual(expect.arrayContaining(['member.invited', 'member.joined']));
  });
});

describe('accounts of one address in several Spaces', () => {
  it('do not open one another, regardless of their makers', async () => {
    const email = someone();
    const attacker = await account(email, PASSWORD);
    const company = await account(email, OTHER);
    expect(attacker.id).not.toBe(company.id);
    const opened = async (password: string, spaceId?: string): Promise<string | undefined> =>
      (await login({ email, password, spaceId })).body.data?.space.id as string | undefined;
    expect(await opened(PASSWORD, company.space.id)).toBeUndefined();
    expect(await opened(OTHER, attacker.space.id)).toBeUndefined();
    expect(await opened(PASSWORD, attacker.space.id)).toBe(attacker.space.id);
    expect(await opened(OTHER, company.space.id)).toBe(company.space.id);
    expect([await opened(PASSWORD), await opened(OTHER)]).toEqual([attacker.space.id, company.space.id]);
  });

  it('do not hear of one another: adding, inviting and removing look the same', async () => {
    const email = someone();
    await account(email, PASSWORD);
    const space = await platform.newSpace();
    const strip = (reply: Reply): object => {
      const { userId: _u, createdAt: _c, email: _e, name: _n, invitation: _i, ...rest } = reply.body.data;
      return { status: reply.status, message: reply.body.message, rest: rest as object };
    };
    expect(strip(await invite(space, email))).toEqual(strip(await invite(space, someone())));
    const password = OTHER;
    const other = await platform.newSpace();
    const existing = await other.owner.post(members(other), { email, role: 'MEMBER', password });
    const fresh = await other.owner.post(members(other), { email: someone(), role: 'MEMBER', password });
    expect(strip(existing)).toEqual(strip(fresh));
  });

  it('outlive each other: what one Space does to its account leaves the others alone', async () => {
    const email = someone();
    const one = await account(email, PASSWORD);
    const two = await account(email, OTHER);
    const here = await signIn(platform.anonymous, email, OTHER, two.space.id);
    await one.space.owner.patch(`${members(one.space)}/${one.id}`, { role: 'VIEWER' });
    const mine = await signIn(platform.anonymous, email, PASSWORD, one.space.id);
    await mine.post('/auth/password', { currentPassword: PASSWORD, newPassword: 'the third long password' });
    await one.space.owner.delete(`${members(one.space)}/${one.id}`);
    expect((await here.get('/auth/me')).body.data.role).toBe('MEMBER');
    expect((await login({ email, password: OTHER, spaceId: two.space.id })).status).toBe(200);
    expect((await one.space.owner.patch(`${members(one.space)}/${two.id}`, { role: 'VIEWER' })).status).toBe(404);
  });

  it('are no way back into a Space: an address that is added again is another account', async () => {
    const email = someone();
    const { space, id } = await account(email, PASSWORD);
    const other = await platform.newSpace();
    const user = await signIn(platform.anonymous, email, PASSWORD, space.id);
    await other.join(user);
    await space.owner.delete(`${members(space)}/${id}`);
    const again = await space.owner.post(members(space), { email, role: 'MEMBER', password: OTHER });
    expect(again.status).toBe(201);
    expect(again.body.data.userId).not.toBe(id);
    expect((await login({ email, password: OTHER, spaceId: other.id })).status).toBe(401);
    expect((await login({ email, password: PASSWORD, spaceId: other.id })).status).toBe(200);
  });

  it('are five at most that a sign-in without a Space tries, those last signed in first', async () => {
    const email = someone();
    const spaces: TestSpace[] = [];
    for (let n = 0; n < 6; n += 1) spaces.push((await account(email, `the password number ${n}`)).space);
    const open = async (n: number, spaceId?: string): Promise<number> =>
      (await login({ email, password: `the password number ${n}`, spaceId })).status;
    for (let n = 0; n < 6; n += 1) expect(await open(n, spaces[n]?.id)).toBe(200);
    expect(await open(0)).toBe(401);
    expect(await open(1)).toBe(200);
    expect(await open(0, spaces[0]?.id)).toBe(200);
    expect(await open(0)).toBe(200);
    expect(await open(2)).toBe(401);
  });

  it('are locked apart: failures at one leave the others open', async () => {
    const email = someone();
    const attacker = await account(email, PASSWORD);
    const victim = await account(email, OTHER);
    const wrong = { email, password: 'not the password', spaceId: attacker.space.id };
    for (let n = 0; n < 5; n += 1) expect((await login(wrong)).status).toBe(401);
    expect((await login(wrong)).status).toBe(429);
    expect((await login({ email, password: OTHER, spaceId: victim.space.id })).status).toBe(200);
    expect((await login({ email, password: OTHER })).status).toBe(200);
    for (let n = 0; n < 5; n += 1) await login({ email, password: 'not the password' });
    expect((await login({ email, password: OTHER })).status).toBe(429);
    expect((await login({ email, password: OTHER, spaceId: victim.space.id })).status).toBe(200);
  });
});

describe('an account without a Space', () => {
  it('goes with its last membership', async () => {
    const space = await platform.newSpace();
    const member = await space.member();
    await space.owner.delete(`${members(space)}/${idOf(member)}`);
    expect(await platform.database.query('select 1 from key.users where id = $1', [idOf(member)])).toEqual([]);
    const { email, password } = member.identity;
    expect((await login({ email, password })).status).toBe(401);
  });
});

it('a member who is removed and joins elsewhere at the same moment does either, and nothing fails', async () => {
  const [from, to] = [await platform.newSpace(), await platform.newSpace()];
  for (let round = 0; round < 12; round += 1) {
    const member = await from.member();
    const token = tokenOf(await invite(to));
    const [removed, accepted] = await Promise.all([
      from.owner.delete(`${members(from)}/${idOf(member)}`),
      accept({ token }, member),
    ]);
    expect(removed.status).toBe(200);
    expect([200, 401]).toContain(accepted.status);
  }
});
