import { type Reply, type TestSpace, promised, until, usePlatform } from '@switchyard/testing';

const platform = usePlatform();
let space: TestSpace;

beforeAll(async () => {
  space = await platform.newSpace();
});

const own = (): Record<string, string> => ({ origin: platform.url, 'x-switchyard-console': '1' });
const send = (method: string, path: string, body: unknown, headers: Record<string, string>): Promise<Reply> =>
  platform.anonymous.raw(method, `/console/session${path}`, body, { headers });
const signIn = async (of: TestSpace = space): Promise<Reply> => {
  const { email, password } = of.owner.identity;
  return send('POST', '', { email, password }, own());
};
const cookieOf = ({ headers }: Reply): string => (headers['set-cookie'] ?? '').split(';', 1)[0] ?? '';
const refresh = (cookie: string): Promise<Reply> => send('POST', '/refresh', {}, { ...own(), cookie });
const me = async ({ body }: Reply): Promise<number> =>
  (await platform.anonymous.as(`Bearer ${body.data.accessToken as string}`).get('/auth/me')).status;
const ends = (reply: Reply): Promise<unknown> =>
  until(async () => (await me(reply)) === 401, { timeoutMs: promised(1000) });
/** As if the cookie had been traded so many seconds before it was. */
const age = (of: TestSpace, seconds: number): Promise<unknown> =>
  platform.database.query(
    `update key.refresh_tokens set spent_at = spent_at - make_interval(secs => $2) where space_id = $1 and spent_at is not null`,
    [of.id, seconds],
  );

describe('POST /console/session', () => {
  it('answers as a login, with the refresh token in a cookie that no script reads', async () => {
    const reply = await signIn();
    expect(reply.status).toBe(200);
    expect(Object.keys(reply.body.data).sort()).toEqual(['accessToken', 'expiresIn', 'space', 'tokenType', 'user']);
    expect(reply.headers['set-cookie']).toMatch(
      /^__Secure-switchyard_console=[\w-]{43}; Path=\/console\/session; HttpOnly; SameSite=Strict; Secure; Max-Age=\d+$/,
    );
    expect(JSON.stringify(reply.body)).not.toContain(cookieOf(reply).split('=')[1]);
    expect(await me(reply)).toBe(200);
  });

  it('binds the cookie to its host where the page came over TLS', async () => {
    const { email, password } = space.owner.identity;
    const secure = { ...own(), origin: platform.url.replace('http:', 'https:') };
    const reply = await send('POST', '', { email, password }, secure);
    expect(reply.headers['set-cookie']).toMatch(
      /^__Host-switchyard_console=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Secure; Max-Age=\d+$/,
    );
    const next = await send('POST', '/refresh', {}, { ...secure, cookie: cookieOf(reply) });
    expect(next.status).toBe(200);
    expect(cookieOf(next)).toMatch(/^__Host-/);
    const ended = await send('DELETE', '', undefined, { ...secure, cookie: cookieOf(next) });
    expect(ended.headers['set-cookie']).toMatch(/^__Host-switchyard_console=; .*Max-Age=0/);
    expect((await send('POST', '/refresh', {}, { ...secure, cookie: cookieOf(next) })).status).toBe(401);
  });

  it('refuses a wrong password as a login does, and sets no cookie', async () => {
    const { email } = space.owner.identity;
    const reply = await send('POST', '', { email, password: 'not the password' }, own());
    expect([reply.status, reply.body.code]).toEqual([401, 'UNAUTHORIZED']);
    expect(reply.headers['set-cookie']).toBeUndefined();
  });

  it('counts failures together with those of the login, per account and minute', async () => {
    const { owner } = await platform.newSpace();
    const attempt = { email: owner.identity.email, password: 'not the password' };
    const statuses: number[] = [];
    for (let at = 0; at < 6; at += 1) statuses.push((await send('POST', '', attempt, own())).status);
    expect(statuses.slice(0, 5).every((status) => [401, 429].includes(status))).toBe(true);
    expect(statuses.at(-1)).toBe(429);
    expect((await platform.anonymous.post('/auth/login', attempt)).status).toBe(429);
  });

  it('opens the Space that is asked for, and no other one', async () => {
    const { email, password } = space.owner.identity;
    const right = await send('POST', '', { email, password, spaceId: space.id }, own());
    expect(right.body.data.space.id).toBe(space.id);
    const other = await platform.newSpace();
    expect((await send('POST', '', { email, password, spaceId: other.id }, own())).status).toBe(401);
  });

  it.each([[{}], [{ email: 1, password: 'x' }], [{ email: 'a@b.c', password: 'x', more: 1 }]])(
    'refuses the body %j',
    async (body) => {
      const reply = await send('POST', '', body, own());
      expect([reply.status, reply.body.code]).toEqual([400, 'VALIDATION_ERROR']);
    },
  );
});

describe('what does not come from the console itself', () => {
  const routes = [
    ['POST', ''],
    ['POST', '/present'],
    ['POST', '/refresh'],
    ['POST', '/switch-space'],
    ['POST', '/invitation'],
    ['DELETE', ''],
  ] as const;

  it.each(routes)('is refused by %s /console/session%s, and its cookie stays good', async (method, path) => {
    const first = await signIn();
    const cookie = cookieOf(first);
    const { email, password } = space.owner.identity;
    const bodies = {
      '/present': {},
      '/refresh': {},
      '/switch-space': { spaceId: space.id },
      '/invitation': { token: 'x' },
    };
    const body = path === '' ? { email, password } : bodies[path];
    const mark = { 'x-switchyard-console': '1' };
    for (const headers of [
      { ...mark, origin: 'https://evil.example' },
      { ...mark, origin: 'null' },
      { ...mark, origin: `${platform.url}.evil.example` },
      mark,
      { origin: platform.url },
      { origin: platform.url, 'x-switchyard-console': '0' },
    ]) {
      const reply = await send(method, path, method === 'DELETE' ? undefined : body, { ...headers, cookie });
      expect([reply.status, reply.body.code]).toEqual([403, 'FORBIDDEN']);
      expect(reply.headers['set-cookie']).toBeUndefined();
    }
    expect(await me(first)).toBe(200);
    expect((await refresh(cookie)).status).toBe(200);
  });

  it('may not even ask from an origin whose pages may call the API', async () => {
    const request = { origin: 'https://evil.example', 'access-control-request-method': 'POST' };
    const preflight = await send('OPTIONS', '/refresh', undefined, request);
    expect(preflight.headers['access-control-allow-headers'] ?? '').not.toMatch(/console/i);
  });
});

describe('POST /console/session/present', () => {
  const present = (headers: Record<string, string>): Promise<Reply> =>
    send('POST', '/present', {}, { ...own(), ...headers });

  it('says whether the cookie came along, neither trades it nor tells what it is worth', async () => {
    const first = await signIn();
    const cookie = cookieOf(first);
    for (const [headers, isThere] of [
      [{}, false],
      [{ cookie }, true],
      [{ cookie: '__Secure-switchyard_console=never-made' }, true],
      [{ cookie: '__Secure-switchyard_console=' }, false],
    ] as const) {
      const reply = await present(headers);
      expect([reply.status, reply.body.data]).toEqual([200, { present: isThere }]);
      expect(reply.headers['set-cookie']).toBeUndefined();
    }
    expect(await me(first)).toBe(200);
    expect((await refresh(cookie)).status).toBe(200);
  });
});

describe('POST /console/session/refresh', () => {
  it('gives a new access token and a new cookie', async () => {
    const first = await signIn();
    const second = await refresh(cookieOf(first));
    expect(second.status).toBe(200);
    expect(cookieOf(second)).not.toBe(cookieOf(first));
    expect(second.body.data.accessToken).not.toBe(first.body.data.accessToken);
    expect(await me(second)).toBe(200);
  });

  it('gives twenty tabs at once the same answer, and the sign-in goes on', async () => {
    const cookie = cookieOf(await signIn());
    const replies = await Promise.all(Array.from({ length: 20 }, () => refresh(cookie)));
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200));
    expect(new Set(replies.map((reply) => reply.body.data.accessToken as string)).size).toBe(1);
    expect(new Set(replies.map(cookieOf)).size).toBe(1);
    const [one] = replies as [Reply];
    expect((await refresh(cookieOf(one))).status).toBe(200);
    expect(await me(one)).toBe(200);
  });

  it('gives a late tab what came of the cookie meanwhile', async () => {
    const first = cookieOf(await signIn());
    const third = await refresh(cookieOf(await refresh(first)));
    const late = await refresh(first);
    expect(cookieOf(late)).toBe(cookieOf(third));
    expect((await refresh(cookieOf(late))).status).toBe(200);
  });

  it('gives the same pair to a browser that lost the answer and comes again within a minute', async () => {
    const mine = await platform.newSpace();
    const first = await signIn(mine);
    const isLost = await refresh(cookieOf(first));
    await age(mine, 50);
    const again = await refresh(cookieOf(first));
    expect([again.status, cookieOf(again)]).toEqual([200, cookieOf(isLost)]);
    expect(await me(again)).toBe(200);
  });

  it('ends the sign-in when a stolen cookie comes after a minute', async () => {
    const mine = await platform.newSpace();
    const first = await signIn(mine);
    const second = await refresh(cookieOf(first));
    await age(mine, 61);
    const stolen = await refresh(cookieOf(first));
    expect([stolen.status, stolen.body.code]).toEqual([401, 'UNAUTHORIZED']);
    expect((await refresh(cookieOf(second))).status).toBe(401);
    await ends(second);
  });

  it('ends the sign-in when the token of a spent cookie is used at the API', async () => {
    const first = await signIn();
    const second = await refresh(cookieOf(first));
    const [, refreshToken] = cookieOf(first).split('=');
    expect((await platform.anonymous.post('/auth/refresh', { refreshToken })).status).toBe(401);
    expect((await refresh(cookieOf(second))).status).toBe(401);
  });

  it('repeats nothing of what the API has traded', async () => {
    const first = await signIn();
    const [, refreshToken] = cookieOf(first).split('=');
    expect((await platform.anonymous.post('/auth/refresh', { refreshToken })).status).toBe(200);
    expect((await refresh(cookieOf(first))).status).toBe(401);
  });

  it.each([
    ['no cookie', ''],
    ['junk', '__Secure-switchyard_console=junk'],
    ['two cookies', `__Secure-switchyard_console=${'a'.repeat(43)}; __Secure-switchyard_console=${'b'.repeat(43)}`],
  ])('refuses %s', async (_, cookie) => {
    const reply = await send('POST', '/refresh', {}, cookie === '' ? own() : { ...own(), cookie });
    expect([reply.status, reply.body.code]).toEqual([401, 'UNAUTHORIZED']);
    expect(reply.headers['set-cookie']).toBeUndefined();
  });

  it('keeps no token that is still good in the clear', async () => {
    const mine = await platform.newSpace();
    const second = await refresh(cookieOf(await refresh(cookieOf(await signIn(mine)))));
    const [, token = ''] = cookieOf(second).split('=');
    const rows = await platform.database.query<{ pending: string }>(
      `select encode(coalesce(successor, ''), 'escape') as pending from key.refresh_tokens where space_id = $1`,
      [mine.id],
    );
    expect(rows.some(({ pending }) => pending.length > 0)).toBe(true);
    expect(rows.filter(({ pending }) => pending.includes(token))).toEqual([]);
  });
});

describe('POST /console/session/switch-space', () => {
  it('goes on in another Space of the person, and the sign-in in the old one ends', async () => {
    const other = await space.anotherOf(space.owner, 'The other one');
    const first = await signIn();
    const body = { spaceId: other };
    const switched = await send('POST', '/switch-space', body, { ...own(), cookie: cookieOf(first) });
    expect([switched.status, switched.body.data.space.id]).toEqual([200, other]);
    expect((await refresh(cookieOf(switched))).body.data.space.id).toBe(other);
    await ends(first);
  });

  it("refuses another's Space, and the browser goes on where it was", async () => {
    const other = await platform.newSpace();
    const first = await signIn();
    const body = { spaceId: other.id };
    const reply = await send('POST', '/switch-space', body, { ...own(), cookie: cookieOf(first) });
    expect([reply.status, reply.body.code]).toEqual([404, 'NOT_FOUND']);
    expect((await refresh(cookieOf(reply))).body.data.space.id).toBe(space.id);
  });

  it('uses the cookie, not the access token beside it', async () => {
    const other = await platform.newSpace();
    const theirs = await signIn(other);
    const authorization = `Bearer ${space.owner.credential}`;
    const headers = { ...own(), cookie: cookieOf(theirs), authorization };
    expect((await send('POST', '/switch-space', { spaceId: space.id }, headers)).status).toBe(404);
    expect((await send('POST', '/switch-space', { spaceId: space.id }, { ...own(), authorization })).status).toBe(401);
  });

  it('refuses what is no id', async () => {
    const first = await signIn();
    const reply = await send('POST', '/switch-space', { spaceId: 'x' }, { ...own(), cookie: cookieOf(first) });
    expect(reply.status).toBe(400);
  });
});

describe('POST /console/session/invitation', () => {
  const invite = async (email: string): Promise<{ into: TestSpace; token: string }> => {
    const into = await platform.newSpace();
    const { status, body } = await into.owner.post(`/spaces/${into.id}/members`, { email, role: 'MEMBER' });
    expect(status).toBe(201);
    return { into, token: body.data.invitation.token as string };
  };

  it('makes an account of the invitation, once, with its refresh token in the cookie', async () => {
    const { into, token } = await invite('new@console.example');
    const body = { token, password: 'long enough for anybody' };
    const reply = await send('POST', '/invitation', body, own());
    expect([reply.status, reply.body.data.space.id]).toEqual([200, into.id]);
    expect(Object.keys(reply.body.data).sort()).toEqual(['accessToken', 'expiresIn', 'space', 'tokenType', 'user']);
    expect((await refresh(cookieOf(reply))).body.data.user.email).toBe('new@console.example');
    const again = await send('POST', '/invitation', body, own());
    expect([again.status, again.headers['set-cookie']]).toEqual([404, undefined]);
  });

  it('takes the account of the cookie into the Space, and its sign-in in the old one ends', async () => {
    const { into, token } = await invite('joins@console.example');
    const first = await signIn();
    const reply = await send('POST', '/invitation', { token }, { ...own(), cookie: cookieOf(first) });
    expect([reply.status, reply.body.data.space.id]).toEqual([200, into.id]);
    expect(reply.body.data.user.email).toBe(space.owner.identity.email);
    expect((await refresh(cookieOf(reply))).body.data.space.id).toBe(into.id);
    await ends(first);
  });

  it('leaves the browser where it was when it is refused', async () => {
    const first = await signIn();
    const unknown = await send('POST', '/invitation', { token: 'x' }, { ...own(), cookie: cookieOf(first) });
    expect(unknown.status).toBe(404);
    const { into, token } = await invite('same@console.example');
    const { email } = space.owner.identity;
    await into.owner.post(`/spaces/${into.id}/members`, { email, role: 'VIEWER', password: 'long enough for anybody' });
    const taken = await send('POST', '/invitation', { token }, { ...own(), cookie: cookieOf(unknown) });
    expect(taken.status).toBe(409);
    expect((await refresh(cookieOf(taken))).body.data.space.id).toBe(space.id);
  });

  it('needs a password or a session, and refuses a short password', async () => {
    const { token } = await invite('short@console.example');
    expect((await send('POST', '/invitation', { token }, own())).status).toBe(401);
    expect((await send('POST', '/invitation', { token, password: 'short' }, own())).status).toBe(400);
  });
});

describe('DELETE /console/session', () => {
  it('ends the sign-in with its tokens, and takes the cookie away', async () => {
    const first = await signIn();
    const reply = await send('DELETE', '', undefined, { ...own(), cookie: cookieOf(first) });
    expect(reply.status).toBe(200);
    expect(reply.headers['set-cookie']).toMatch(/^__Secure-switchyard_console=; .*Max-Age=0$/);
    expect((await refresh(cookieOf(first))).status).toBe(401);
    await ends(first);
  });

  it('answers a browser that is not signed in alike', async () => {
    expect((await send('DELETE', '', undefined, own())).status).toBe(200);
  });
});
