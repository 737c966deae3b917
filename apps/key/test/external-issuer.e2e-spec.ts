import { randomBytes } from 'node:crypto';
import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { newId } from '@switchyard/kernel';
import { type Client, type ExtraGateway, type TestSpace, startGateway, until, usePlatform } from '@switchyard/testing';
import { type CryptoKey, type JWK, type JWTPayload, SignJWT, exportJWK, generateKeyPair } from 'jose';
import { type LoneKeyService, startLoneKeyService } from './lone-key-service';
import { bootstrapOperator, newOperator } from './operator-people';

const platform = usePlatform();
const AUDIENCE = 'https://api.test.example';
const newSubject = (): string => `subject-${randomBytes(6).toString('hex')}`;

describe('tokens of an external issuer', () => {
  let server: Server;
  let issuer: string;
  let privateKey: CryptoKey;
  let gateway: ExtraGateway;

  beforeAll(async () => {
    const pair = await generateKeyPair('RS256', { extractable: true });
    privateKey = pair.privateKey;
    const jwk: JWK = { ...(await exportJWK(pair.publicKey)), kid: 'one', alg: 'RS256', use: 'sig' };
    server = createServer((request, response) => {
      const answer =
        request.url === '/.well-known/openid-configuration' ? { issuer, jwks_uri: `${issuer}/keys` } : { keys: [jwk] };
      response.setHeader('content-type', 'application/json').end(JSON.stringify(answer));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    gateway = await startGateway(platform, { OIDC_ISSUER: issuer, OIDC_AUDIENCE: AUDIENCE });
  }, 200_000);

  afterAll(async () => {
    await gateway.stop();
    server.close();
  });

  const token = (
    claims: JWTPayload,
    key: CryptoKey = privateKey,
    typ: string | undefined = 'at+jwt',
  ): Promise<string> =>
    new SignJWT({
      iss: issuer,
      aud: AUDIENCE,
      exp: Math.floor(Date.now() / 1000) + 300,
      jti: randomBytes(6).toString('hex'),
      ...claims,
    })
      .setProtectedHeader({ alg: 'RS256', kid: 'one', ...(typ === '' ? {} : { typ }) })
      .sign(key);
  const come = async (claims: JWTPayload, key?: CryptoKey, typ?: string): Promise<Client> =>
    gateway.anonymous.as(`Bearer ${await token(claims, key, typ)}`);

  async function member(
    role: 'MEMBER' | 'VIEWER' = 'MEMBER',
  ): Promise<{ space: TestSpace; client: Client; email: string }> {
    const space = await platform.newSpace();
    const client = await space.member(role);
    return { space, client, email: client.identity.email ?? '' };
  }

  /** A member whose account an identity of the issuer is linked to. */
  async function linked(): Promise<{ space: TestSpace; client: Client; sub: string; email: string }> {
    const sub = newSubject();
    const { space, client, email } = await member();
    const reply = await gateway.at(client).post('/auth/identities', { token: await token({ sub }) });
    expect(reply.status).toBe(201);
    return { space, client, sub, email };
  }

  it('open the oldest Space of the account that they are linked to', async () => {
    const { space, client, sub } = await linked();
    const { status, body } = await (await come({ sub })).get('/auth/me');
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ user: { id: client.identity.userId }, space: { id: space.id }, role: 'MEMBER' });
  });

  it('find no account by an address, verified or not, unless the operator allows it', async () => {
    const { email } = await member();
    const client = await come({ sub: newSubject(), email, email_verified: true });
    expect((await client.get('/auth/me')).status).toBe(401);
  });

  it.each<[string, JWTPayload]>([
    ['another audience', { aud: 'somebody-else' }],
    ['no audience', { aud: undefined }],
    ['another issuer', { iss: 'https://attacker.example' }],
    ['an end in the past', { exp: Math.floor(Date.now() / 1000) - 120 }],
    ['no end', { exp: undefined }],
    ['no subject', { sub: undefined }],
    ['the nonce of an id_token', { nonce: 'x' }],
    ['the token hash of an id_token', { at_hash: 'x' }],
    ['the typ of an id_token', { typ: 'ID' }],
  ])('are refused with %s', async (_, change) => {
    const { sub } = await linked();
    expect((await (await come({ sub })).get('/auth/me')).status).toBe(200);
    expect((await (await come({ sub, ...change })).get('/auth/me')).status).toBe(401);
  });

  it.each(['', 'JWT', 'id_token+jwt', 'logout+jwt'])('are refused with the type %p in their header', async (typ) => {
    const { sub } = await linked();
    expect((await (await come({ sub }, undefined, 'application/at+jwt')).get('/auth/me')).status).toBe(200);
    expect((await (await come({ sub }, undefined, typ)).get('/auth/me')).status).toBe(401);
  });

  it('are refused when somebody else signed them', async () => {
    const { sub } = await linked();
    const pair = await generateKeyPair('RS256');
    expect((await (await come({ sub }, pair.privateKey)).get('/auth/me')).status).toBe(401);
  });

  it('are refused where no issuer is configured', async () => {
    const { sub } = await linked();
    const client = await come({ sub });
    expect((await platform.anonymous.as(client.authorization).get('/auth/me')).status).toBe(401);
  });

  it('open no route of operators as a bearer, and one after a sign-in with them', async () => {
    const operator = await newOperator(platform);
    const sub = newSubject();
    await gateway.at(operator).post('/auth/identities', { token: await token({ sub }) });
    const external = await come({ sub, auth_time: Math.floor(Date.now() / 1000) - 3600 });
    const { body } = await external.get('/auth/me');
    expect(body.data.user).toMatchObject({ id: operator.identity.userId, operator: true });
    expect((await external.get('/operator/operators')).status).toBe(404);
    const switched = await external.post('/auth/switch-space', { spaceId: body.data.space.id });
    const signedIn = external.as(`Bearer ${switched.body.data.accessToken as string}`);
    expect((await signedIn.get('/operator/operators')).status).toBe(200);
    // The company says when the person signed in there.
    const grant = `/operator/users/${operator.identity.userId ?? ''}/grant`;
    expect((await signedIn.post(grant, {})).status).toBe(403);
    const fresh = await come({ sub, auth_time: Math.floor(Date.now() / 1000) });
    const again = await fresh.post('/auth/switch-space', { spaceId: body.data.space.id });
    expect((await fresh.as(`Bearer ${again.body.data.accessToken as string}`).post(grant, {})).status).toBe(200);
  });

  it('let an operator who belongs to no Space make one, and sign in to it', async () => {
    const operator = await newOperator(platform);
    const sub = newSubject();
    await gateway.at(operator).post('/auth/identities', { token: await token({ sub }) });
    await platform.database.query('delete from key.members where user_id = $1', [operator.identity.userId]);
    const external = await come({ sub });
    const me = await external.get('/auth/me');
    expect(me.body.data).toMatchObject({ user: { id: operator.identity.userId }, space: null, role: null });
    expect((await external.get('/tasks')).status).toBe(403);
    const made = await external.post('/spaces', { name: 'of the company' });
    expect(made.status).toBe(201);
    const switched = await external.post('/auth/switch-space', { spaceId: made.body.data.id });
    const signedIn = external.as(`Bearer ${switched.body.data.accessToken as string}`);
    expect((await signedIn.get('/operator/operators')).status).toBe(200);
  });

  it('open nothing for a disabled account', async () => {
    const { client, sub } = await linked();
    const external = await come({ sub });
    expect((await external.get('/auth/me')).status).toBe(200);
    const operator = await bootstrapOperator(platform);
    await operator.post(`/operator/users/${client.identity.userId ?? ''}/disable`, {});
    await until(async () => (await external.get('/auth/me')).status === 401);
    expect((await (await come({ sub })).get('/auth/me')).status).toBe(401);
  });

  it('let the person switch to another Space', async () => {
    const { client, sub } = await linked();
    const other = await platform.newSpace();
    await other.join(client, 'VIEWER');
    const { status, body } = await (await come({ sub })).post('/auth/switch-space', { spaceId: other.id });
    expect(status).toBe(200);
    const me = await platform.anonymous.as(`Bearer ${body.data.accessToken}`).get('/auth/me');
    expect(me.body.data).toMatchObject({
      user: { id: client.identity.userId },
      space: { id: other.id },
      role: 'VIEWER',
    });
  });

  it('accept an invitation', async () => {
    const { client, sub } = await linked();
    const space = await platform.newSpace();
    const joined = await space.join(await come({ sub }), 'VIEWER');
    expect((await joined.get('/auth/me')).body.data.user.id).toBe(client.identity.userId);
  });

  it('leave the password of the account alone when the person links it', async () => {
    const { client } = await linked();
    const { email, password } = client.identity;
    expect((await platform.anonymous.post('/auth/login', { email, password })).status).toBe(200);
  });

  describe('POST /auth/identities', () => {
    it("links the caller's account with what the token names", async () => {
      const { client } = await member();
      const sub = newSubject();
      const external = await come({ sub });
      expect((await external.get('/auth/me')).status).toBe(401);
      const linked = await gateway.at(client).post('/auth/identities', { token: await token({ sub }) });
      expect([linked.status, linked.body.data]).toEqual([201, {}]);
      const fresh = await come({ sub });
      const me = await fresh.get('/auth/me');
      expect(me.body).toMatchObject({ success: true, data: { user: { id: client.identity.userId } } });
      expect((await gateway.at(client).post('/auth/identities', { token: await token({ sub }) })).status).toBe(201);
    });

    it('refuses an identity that belongs to somebody else with 409', async () => {
      const first = await member();
      const second = await member();
      const sub = newSubject();
      expect((await gateway.at(first.client).post('/auth/identities', { token: await token({ sub }) })).status).toBe(
        201,
      );
      const reply = await gateway.at(second.client).post('/auth/identities', { token: await token({ sub }) });
      expect([reply.status, reply.body.code]).toEqual([409, 'CONFLICT']);
    });

    it('needs of an operator a sign-in within the last ten minutes', async () => {
      const operator = await newOperator(platform);
      const link = async () =>
        gateway.at(operator).post('/auth/identities', { token: await token({ sub: newSubject() }) });
      await platform.database.query(
        `update key.sign_ins set signed_in_at = now() - interval '11 minutes' where user_id = $1`,
        [operator.identity.userId],
      );
      const refused = await link();
      expect([refused.status, refused.body.code]).toEqual([403, 'FORBIDDEN']);
      expect(refused.body.message).toContain('sign in again');
      await platform.database.query('update key.sign_ins set signed_in_at = now() where user_id = $1', [
        operator.identity.userId,
      ]);
      expect((await link()).status).toBe(201);
    });

    it("refuses a token that is not the issuer's with 400, a key with 403, and is 404 without an issuer", async () => {
      const { client, space } = await member();
      const bad = await gateway.at(client).post('/auth/identities', { token: client.credential });
      expect([bad.status, bad.body.code]).toEqual([400, 'VALIDATION_ERROR']);
      const key = await space.key();
      expect(
        (await gateway.at(key).post('/auth/identities', { token: await token({ sub: newSubject() }) })).status,
      ).toBe(403);
      expect((await client.post('/auth/identities', { token: await token({ sub: newSubject() }) })).status).toBe(404);
    });
  });
});

describe('linking by a verified e-mail, where the operator says so', () => {
  let server: Server;
  let issuer: string;
  let privateKey: CryptoKey;
  let lone: LoneKeyService;

  beforeAll(async () => {
    const pair = await generateKeyPair('RS256', { extractable: true });
    privateKey = pair.privateKey;
    const jwk: JWK = { ...(await exportJWK(pair.publicKey)), kid: 'one', alg: 'RS256', use: 'sig' };
    server = createServer((_request, response) => {
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ keys: [jwk] }));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    lone = await startLoneKeyService(platform, {
      key: { OIDC_LINK_BY_EMAIL: 'true' },
      gateway: {
        OIDC_ISSUER: issuer,
        OIDC_AUDIENCE: AUDIENCE,
        OIDC_JWKS_URL: `${issuer}/keys`,
        CREDENTIAL_CACHE_MS: '0',
      },
    });
  }, 200_000);

  afterAll(async () => {
    await lone.stop();
    server.close();
  });

  const come = async (claims: JWTPayload): Promise<Client> => {
    const token = await new SignJWT({ iss: issuer, aud: AUDIENCE, jti: newSubject(), ...claims })
      .setProtectedHeader({ alg: 'RS256', kid: 'one', typ: 'at+jwt' })
      .setExpirationTime('5m')
      .sign(privateKey);
    return lone.gateway.anonymous.as(`Bearer ${token}`);
  };
  // This service has no bus, so only credential checks can be asked of it: 401 or 503 tells whether the token was believed.
  const isBelieved = async (client: Client): Promise<boolean> => (await client.get('/auth/me')).status !== 401;

  async function account(email: string, lastSignIn: string, passwordByOthers = false): Promise<string> {
    const id = newId();
    const spaceId = newId();
    await lone.database.query(
      `insert into key.users (id, email, name, password_hash, home_space_id, last_signed_in_at, password_by_others)
       values ($1, $2, 'x', 'a hash', $3, $4, $5)`,
      [id, email, spaceId, lastSignIn, passwordByOthers],
    );
    await lone.database.query(
      `insert into key.spaces (space_id, id, name, sealed_webhook_secret) values ($1, $1, 'x', '')`,
      [spaceId],
    );
    await lone.database.query(`insert into key.members (space_id, id, user_id, role) values ($1, $2, $3, 'MEMBER')`, [
      spaceId,
      newId(),
      id,
    ]);
    await lone.database.query(
      `insert into key.sign_ins (space_id, id, user_id, ends_at) values ($1, $2, $3, now() + interval '1 day')`,
      [spaceId, newId(), id],
    );
    return id;
  }
  const stateOf = (ids: string[]): Promise<Record<string, unknown>[]> =>
    lone.database.query(
      `select u.id, u.password_hash, (select max(subject) from key.external_identities e where e.user_id = u.id) as subject,
              (select count(*)::int from key.sign_ins s where s.user_id = u.id and s.revoked_at is null) as open
       from key.users u where u.id = any($1::uuid[]) order by u.last_signed_in_at`,
      [ids],
    );

  it('joins no account that an ADMIN has made of the address with a password', async () => {
    const email = `${newSubject()}@test.example`;
    const foreign = await account(email, '2026-01-03', true);
    const sub = newSubject();
    const claims = { sub, email, email_verified: true };
    expect(await isBelieved(await come(claims))).toBe(false);
    const own = await account(email, '2026-01-02');
    expect(await isBelieved(await come(claims))).toBe(true);
    expect(await stateOf([own, foreign])).toEqual([
      { id: own, password_hash: null, subject: sub, open: 0 },
      { id: foreign, password_hash: 'a hash', subject: null, open: 1 },
    ]);
  });

  it('leaves the password of the last OWNER of a Space, and is never for an operator', async () => {
    const email = `${newSubject()}@test.example`;
    const owner = await account(email, '2026-01-03');
    const member = await account(email, '2026-01-02');
    const operator = await account(email, '2026-01-01');
    await lone.database.query(`update key.members set role = 'OWNER' where user_id = any($1::uuid[])`, [
      [owner, operator],
    ]);
    await lone.database.query(`update key.users set operator = true where id = $1`, [operator]);
    const sub = newSubject();
    expect(await isBelieved(await come({ sub, email, email_verified: true }))).toBe(true);
    expect(await stateOf([owner, member, operator])).toEqual([
      { id: operator, password_hash: 'a hash', subject: null, open: 1 },
      { id: member, password_hash: null, subject: sub, open: 0 },
      { id: owner, password_hash: 'a hash', subject: sub, open: 1 },
    ]);
  });

  it('joins every account of the address and ends its password and sign-ins, once', async () => {
    const email = `${newSubject()}@test.example`;
    const ids = [await account(email, '2026-01-01'), await account(email, '2026-01-02')];
    const sub = newSubject();
    for (const [verified, believed] of [
      [false, false],
      [undefined, false],
      ['true', false],
      [true, true],
    ] as const) {
      const claims = { sub, email: email.toUpperCase(), email_verified: verified };
      expect(await isBelieved(await come(claims))).toBe(believed);
    }
    expect(await stateOf(ids)).toEqual(ids.map((id) => ({ id, password_hash: null, subject: sub, open: 0 })));
    const moved = await come({ sub, email: 'somebody-else@test.example', email_verified: true });
    expect(await isBelieved(moved)).toBe(true);
    const recycled = await come({ sub: newSubject(), email, email_verified: true });
    expect(await isBelieved(recycled)).toBe(false);
    const unknown = await come({ sub: newSubject(), email: 'no-one@test.example', email_verified: true });
    expect(await isBelieved(unknown)).toBe(false);
  });
});
