import { type Client, type Reply, promised, until, usePlatform } from '@switchyard/testing';

const platform = usePlatform();

interface Tokens {
  accessToken: string;
  refreshToken: string;
}

async function signedIn(): Promise<Tokens & { owner: Client }> {
  const { owner } = await platform.newSpace();
  const { email, password } = owner.identity;
  const { body } = await platform.anonymous.post('/auth/login', { email, password });
  return { ...(body.data as Tokens), owner };
}

const refresh = (refreshToken: string): Promise<Reply> => platform.anonymous.post('/auth/refresh', { refreshToken });
const me = async (accessToken: string): Promise<number> =>
  (await platform.anonymous.as(`Bearer ${accessToken}`).get('/auth/me')).status;

describe('POST /auth/refresh', () => {
  it('gives new tokens, in the shape of a login', async () => {
    const first = await signedIn();
    const { status, body } = await refresh(first.refreshToken);
    expect(status).toBe(200);
    expect(Object.keys(body.data).sort()).toEqual([
      'accessToken',
      'expiresIn',
      'refreshToken',
      'space',
      'tokenType',
      'user',
    ]);
    expect(body.data.refreshToken).not.toBe(first.refreshToken);
    expect(await me(body.data.accessToken)).toBe(200);
    expect((await refresh(body.data.refreshToken)).status).toBe(200);
  });

  it('ends the whole sign-in when a spent token comes again', async () => {
    const first = await signedIn();
    const second = (await refresh(first.refreshToken)).body.data as Tokens;
    expect((await refresh(first.refreshToken)).status).toBe(401);
    expect((await refresh(second.refreshToken)).status).toBe(401);
    await until(async () => (await me(second.accessToken)) === 401, { timeoutMs: promised(1000) });
    expect(await me(first.accessToken)).toBe(401);
  });

  it('lets exactly one of twenty parallel uses win, and ends the sign-in', async () => {
    const { refreshToken } = await signedIn();
    const replies = await Promise.all(Array.from({ length: 20 }, () => refresh(refreshToken)));
    const winners = replies.filter(({ status }) => status === 200);
    expect(winners).toHaveLength(1);
    expect(replies.filter(({ status }) => status === 401)).toHaveLength(19);
    expect((await refresh(winners[0]?.body.data.refreshToken as string)).status).toBe(401);
  });

  it('leaves the other sign-ins of the person alone', async () => {
    const first = await signedIn();
    const { email, password } = first.owner.identity;
    const other = (await platform.anonymous.post('/auth/login', { email, password })).body.data as Tokens;
    await refresh(first.refreshToken);
    await refresh(first.refreshToken);
    expect((await refresh(other.refreshToken)).status).toBe(200);
  });

  it('answers every refusal alike', async () => {
    const { refreshToken, accessToken } = await signedIn();
    await refresh(refreshToken);
    const replies = await Promise.all([refreshToken, 'x', 'A'.repeat(43), accessToken].map((token) => refresh(token)));
    const [first] = replies;
    expect([first?.status, first?.body.code]).toEqual([401, 'UNAUTHORIZED']);
    for (const reply of replies) expect(reply.body).toEqual(first?.body);
  });

  it('is not a bearer credential', async () => {
    const { refreshToken } = await signedIn();
    expect(await me(refreshToken)).toBe(401);
  });

  it('ends for somebody who was removed from the Space', async () => {
    const space = await platform.newSpace();
    const member = await space.member('MEMBER');
    const { email, password, userId } = member.identity;
    const { body } = await platform.anonymous.post('/auth/login', { email, password });
    await space.owner.delete(`/spaces/${space.id}/members/${userId ?? ''}`);
    expect((await refresh(body.data.refreshToken as string)).status).toBe(401);
  });

  it.each([[{}], [{ refreshToken: 1 }], [{ refreshToken: 'x', more: 1 }]])('refuses %j', async (body) => {
    const reply = await platform.anonymous.post('/auth/refresh', body);
    expect([reply.status, reply.body.code]).toEqual([400, 'VALIDATION_ERROR']);
  });
});

describe('POST /auth/logout', () => {
  it('ends the sign-in, its refresh token and its access token', async () => {
    const { accessToken, refreshToken } = await signedIn();
    const client = platform.anonymous.as(`Bearer ${accessToken}`);
    const { status, body } = await client.post('/auth/logout', { refreshToken });
    expect(status).toBe(200);
    expect(body.data).toEqual({});
    expect((await refresh(refreshToken)).status).toBe(401);
    await until(async () => (await me(accessToken)) === 401, { timeoutMs: promised(1000) });
  });

  it('changes nothing for a token of somebody else, and does not tell', async () => {
    const mine = await signedIn();
    const theirs = await signedIn();
    const reply = await mine.owner.post('/auth/logout', { refreshToken: theirs.refreshToken });
    expect([reply.status, reply.body.data]).toEqual([200, {}]);
    expect((await refresh(theirs.refreshToken)).status).toBe(200);
  });

  it('needs a credential', async () => {
    const { refreshToken } = await signedIn();
    expect((await platform.anonymous.post('/auth/logout', { refreshToken })).status).toBe(401);
  });

  it('keeps neither password nor token in the clear', async () => {
    const { refreshToken, owner } = await signedIn();
    const rows = await platform.database.query<{ hash: string }>(
      'select password_hash as hash from key.users where email = $1',
      [owner.identity.email],
    );
    expect(rows[0]?.hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    const found = await platform.database.query('select 1 from key.refresh_tokens where digest = $1', [
      Buffer.from(refreshToken),
    ]);
    expect(found).toHaveLength(0);
  });
});
