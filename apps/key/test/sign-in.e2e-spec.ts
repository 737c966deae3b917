import { randomBytes } from 'node:crypto';
import { type Client, type Reply, type TestSpace, signIn, until, usePlatform } from '@switchyard/testing';

const platform = usePlatform();
const PASSWORD = 'a quite long password';
const someone = (): string => `someone-${randomBytes(6).toString('hex')}@test.example`;

const withoutRequestId = ({ status, body }: Reply): unknown => ({ status, body });

async function person(): Promise<{ spaceId: string; email: string; owner: Client }> {
  const { space, email } = await personIn();
  return { spaceId: space.id, email, owner: space.owner };
}

async function personIn(): Promise<{ space: TestSpace; email: string }> {
  const space = await platform.newSpace();
  const email = someone();
  const added = await space.owner.post(`/spaces/${space.id}/members`, { email, role: 'MEMBER', password: PASSWORD });
  expect(added.status).toBe(201);
  return { space, email };
}

const login = (body: object): Promise<Reply> => platform.anonymous.post('/auth/login', body);

describe('POST /auth/login', () => {
  it('answers tokens, the person and the Space', async () => {
    const { email, spaceId } = await person();
    const { status, body, headers } = await login({ email, password: PASSWORD });
    expect(status).toBe(200);
    expect(body).toEqual({
      success: true,
      message: expect.any(String),
      data: {
        accessToken: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
        refreshToken: expect.any(String),
        tokenType: 'Bearer',
        expiresIn: 900,
        user: {
          id: expect.any(String),
          email,
          name: email.split('@')[0],
          createdAt: expect.stringMatching(/\.\d{3}Z$/),
        },
        space: expect.objectContaining({ id: spaceId, role: 'MEMBER' }),
      },
    });
    expect(headers['cache-control']).toContain('no-store');
  });

  it('takes an address in any case and with space around it', async () => {
    const { email } = await person();
    expect((await login({ email: ` ${email.toUpperCase()} `, password: PASSWORD })).status).toBe(200);
  });

  it('opens the oldest membership, or the Space that is asked for', async () => {
    const { email, spaceId } = await person();
    const other = await platform.newSpace();
    await other.join(await signIn(platform.anonymous, email, PASSWORD), 'VIEWER');
    expect((await login({ email, password: PASSWORD })).body.data.space.id).toBe(spaceId);
    const reply = await login({ email, password: PASSWORD, spaceId: other.id });
    expect(reply.body.data.space).toMatchObject({ id: other.id, role: 'VIEWER' });
  });

  it('refuses a Space that the account is no member of like a wrong password', async () => {
    const { email, spaceId } = await person();
    const foreign = await platform.newSpace();
    const reply = await login({ email, password: PASSWORD, spaceId: foreign.id });
    expect([reply.status, reply.body.code]).toEqual([401, 'UNAUTHORIZED']);
    const wrong = await login({ email, password: 'not the password', spaceId });
    expect(withoutRequestId(reply)).toEqual(withoutRequestId(wrong));
  });

  it('does not tell a wrong password from a wrong address', async () => {
    const { email } = await person();
    const wrongPassword = await login({ email, password: 'not the password' });
    const wrongAddress = await login({ email: someone(), password: 'not the password' });
    expect(wrongPassword.status).toBe(401);
    expect(wrongPassword.body.code).toBe('UNAUTHORIZED');
    expect(withoutRequestId(wrongPassword)).toEqual(withoutRequestId(wrongAddress));
  });

  it('does not tell them apart by time', async () => {
    const timed = async (email: string): Promise<number> => {
      const start = performance.now();
      await login({ email, password: 'not the password' });
      return performance.now() - start;
    };
    const existing: number[] = [];
    const unknown: number[] = [];
    await until(
      async () => {
        const { email: first } = await person();
        const { email: second } = await person();
        for (const email of [first, first, first, first, second, second, second, second]) {
          existing.push(await timed(email));
          unknown.push(await timed(someone()));
        }
        // Without a hash to check the answer comes ten times sooner; the shortest times are those that nothing else was in.
        const shortest = Math.min(...unknown) / Math.min(...existing);
        expect(shortest).toBeGreaterThan(1 / 3);
        expect(shortest).toBeLessThan(3);
        return true;
      },
      { timeoutMs: 60_000 },
    );
  });

  it('does not let an invited person in who has not accepted', async () => {
    const space = await platform.newSpace();
    const email = someone();
    await space.owner.post(`/spaces/${space.id}/members`, { email, role: 'MEMBER' });
    expect((await login({ email, password: PASSWORD })).status).toBe(401);
  });

  it('answers 429 after five failures in a minute, for that account alone', async () => {
    const { email } = await person();
    for (let i = 0; i < 5; i += 1) expect((await login({ email, password: `wrong ${i} password` })).status).toBe(401);
    const right = await login({ email, password: PASSWORD });
    expect([right.status, right.body.code]).toEqual([429, 'RATE_LIMITED']);
    expect(Number(right.headers['retry-after'])).toBeGreaterThan(0);
    expect(Number(right.headers['retry-after'])).toBeLessThanOrEqual(60);
    const { email: other } = await person();
    expect((await login({ email: other, password: PASSWORD })).status).toBe(200);
  });

  it('counts failures of an account that does not exist in the same way', async () => {
    const email = someone();
    const statuses: number[] = [];
    for (let i = 0; i < 6; i += 1) statuses.push((await login({ email, password: 'not the password' })).status);
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
  });

  it('answers five of many parallel failures with 401 and the rest with 429', async () => {
    const { email } = await person();
    const replies = await Promise.all(Array.from({ length: 15 }, () => login({ email, password: 'not the password' })));
    expect(replies.filter(({ status }) => status === 401)).toHaveLength(5);
    expect(replies.filter(({ status }) => status === 429)).toHaveLength(10);
  });

  it('does not count successes', async () => {
    const { email } = await person();
    const replies = await Promise.all(Array.from({ length: 12 }, () => login({ email, password: PASSWORD })));
    expect(replies.map(({ status }) => status)).toEqual(Array(12).fill(200));
  });

  it.each([
    [{ password: PASSWORD }, 'email'],
    [{ email: 'a@test.example' }, 'password'],
    [{ email: 'a@test.example', password: 12 }, 'password'],
    [{ email: 'a@test.example', password: PASSWORD, spaceId: 'x' }, 'spaceId'],
    [{ email: 'a@test.example', password: PASSWORD, role: 'OWNER' }, 'role'],
  ])('refuses %j', async (body, path) => {
    const reply = await login(body);
    expect([reply.status, reply.body.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(reply.body.details).toEqual([{ path, message: expect.any(String) }]);
  });
});

describe('GET /auth/me', () => {
  it('tells a signed-in person', async () => {
    const { email, spaceId } = await person();
    const client = await signIn(platform.anonymous, email, PASSWORD);
    const { status, body } = await client.get('/auth/me');
    expect(status).toBe(200);
    expect(body.data).toEqual({
      user: expect.objectContaining({ email }),
      space: expect.objectContaining({ id: spaceId }),
      role: 'MEMBER',
      credential: { type: 'jwt', scopes: ['*'] },
      platform: { spaceCreation: expect.any(String), ownersMayCredit: expect.any(Boolean) },
    });
  });

  it('answers a key with any scopes', async () => {
    const space = await platform.newSpace();
    const key = await space.key({ scopes: ['models:call'] });
    const { status, body } = await key.get('/auth/me');
    expect(status).toBe(200);
    expect(body.data.credential).toEqual({ type: 'api_key', keyId: key.identity.keyId, scopes: ['models:call'] });
    expect(body.data.user.id).toBe(space.owner.identity.userId);
  });

  it('refuses a request without a credential with 401', async () => {
    const reply = await platform.anonymous.get('/auth/me');
    expect([reply.status, reply.body.code]).toEqual([401, 'UNAUTHORIZED']);
    expect(reply.body.success).toBe(false);
  });
});

describe('POST /auth/switch-space', () => {
  it('gives tokens for another Space of the person', async () => {
    const { email } = await person();
    const client = await signIn(platform.anonymous, email, PASSWORD);
    const other = await platform.newSpace();
    await other.join(client, 'ADMIN');
    const { status, body } = await client.post('/auth/switch-space', { spaceId: other.id });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ tokenType: 'Bearer', expiresIn: 900, space: { id: other.id, role: 'ADMIN' } });
    const there = client.as(`Bearer ${body.data.accessToken}`);
    expect((await there.get('/auth/me')).body.data).toMatchObject({ role: 'ADMIN', space: { id: other.id } });
    expect((await client.get('/auth/me')).body.data.role).toBe('MEMBER');
  });

  it('refuses a Space of others, and one that is not there, with the same 404', async () => {
    const { email } = await person();
    const client = await signIn(platform.anonymous, email, PASSWORD);
    const foreign = await platform.newSpace();
    const there = await client.post('/auth/switch-space', { spaceId: foreign.id });
    const nowhere = await client.post('/auth/switch-space', { spaceId: '01890000-0000-7000-8000-000000000000' });
    expect(there.status).toBe(404);
    expect(withoutRequestId(there)).toEqual(withoutRequestId(nowhere));
  });

  it('refuses a key with 403', async () => {
    const space = await platform.newSpace();
    const key = await space.key();
    expect((await key.post('/auth/switch-space', { spaceId: space.id })).status).toBe(403);
  });
});

describe('POST /auth/password', () => {
  it('changes the password and ends the other sign-ins', async () => {
    const { email } = await person();
    const here = await signIn(platform.anonymous, email, PASSWORD);
    const other = await signIn(platform.anonymous, email, PASSWORD);
    const changed = await here.post('/auth/password', {
      currentPassword: PASSWORD,
      newPassword: 'another long password',
    });
    expect(changed.status).toBe(200);
    expect((await other.get('/auth/me')).status).toBe(401);
    expect((await here.get('/auth/me')).status).toBe(200);
    expect((await login({ email, password: PASSWORD })).status).toBe(401);
    expect((await login({ email, password: 'another long password' })).status).toBe(200);
  });

  it('needs the current one, and twelve characters', async () => {
    const { email } = await person();
    const client = await signIn(platform.anonymous, email, PASSWORD);
    const wrong = { currentPassword: 'not the password', newPassword: 'another long password' };
    expect((await client.post('/auth/password', wrong)).status).toBe(401);
    const short = { currentPassword: PASSWORD, newPassword: 'elevenchars' };
    expect((await client.post('/auth/password', short)).status).toBe(400);
  });

  it('refuses a key with 403', async () => {
    const key = await (await platform.newSpace()).key();
    const body = { currentPassword: PASSWORD, newPassword: 'another long password' };
    expect((await key.post('/auth/password', body)).status).toBe(403);
  });
});
