import { randomBytes } from 'node:crypto';
import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Client, type TestSpace, usePlatform } from '@switchyard/testing';
import { type CryptoKey, type JWK, type JWTPayload, SignJWT, exportJWK, generateKeyPair } from 'jose';
import { type ExtraGateway, startGateway } from './extra-gateway';

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

  const token = (claims: JWTPayload, key: CryptoKey = privateKey): Promise<string> =>
    new SignJWT({ iss: issuer, aud: AUDIENCE, exp: Math.floor(Date.now() / 1000) + 300, ...claims })
      .setProtectedHeader({ alg: 'RS256', kid: 'one' })
      .sign(key);
  const come = async (claims: JWTPayload, key?: CryptoKey): Promise<Client> =>
    gateway.anonymous.as(`Bearer ${await token(claims, key)}`);

  async function member(
    role: 'MEMBER' | 'VIEWER' = 'MEMBER',
  ): Promise<{ space: TestSpace; client: Client; email: string }> {
    const space = await platform.newSpace();
    const client = await space.member(role);
    return { space, client, email: client.identity.email ?? '' };
  }

  it('open the oldest Space of the person whose verified address they carry', async () => {
    const { space, client, email } = await member();
    const { status, body } = await (
      await come({ sub: newSubject(), email: email.toUpperCase(), email_verified: true })
    ).get('/auth/me');
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ user: { id: client.identity.userId }, space: { id: space.id }, role: 'MEMBER' });
  });

  it('are bound to the subject from then on, not to the address', async () => {
    const { client, email } = await member();
    const { email: other } = await member();
    const sub = newSubject();
    const first = await come({ sub, email, email_verified: true });
    expect((await first.get('/auth/me')).status).toBe(200);
    const moved = await come({ sub, email: other, email_verified: true });
    expect((await moved.get('/auth/me')).body.data.user.id).toBe(client.identity.userId);
    const recycled = await come({ sub: newSubject(), email, email_verified: true });
    expect((await recycled.get('/auth/me')).status).toBe(401);
  });

  it.each<[string, JWTPayload]>([
    ['an address that is not verified', { email_verified: false }],
    ['an address of unknown standing', { email_verified: undefined }],
    ['a truth value that is a text', { email_verified: 'true' }],
    ['another audience', { aud: 'somebody-else' }],
    ['no audience', { aud: undefined }],
    ['another issuer', { iss: 'https://attacker.example' }],
    ['an end in the past', { exp: Math.floor(Date.now() / 1000) - 120 }],
    ['no end', { exp: undefined }],
    ['no subject', { sub: undefined }],
  ])('are refused with %s', async (_, change) => {
    const { email } = await member();
    const client = await come({ sub: newSubject(), email, email_verified: true, ...change });
    expect((await client.get('/auth/me')).status).toBe(401);
  });

  it('are refused when somebody else signed them', async () => {
    const { email } = await member();
    const pair = await generateKeyPair('RS256');
    const client = await come({ sub: newSubject(), email, email_verified: true }, pair.privateKey);
    expect((await client.get('/auth/me')).status).toBe(401);
  });

  it('are refused for an address that nobody here has', async () => {
    const client = await come({ sub: newSubject(), email: 'nobody@test.example', email_verified: true });
    expect((await client.get('/auth/me')).status).toBe(401);
  });

  it('are refused where no issuer is configured', async () => {
    const { email } = await member();
    const client = await come({ sub: newSubject(), email, email_verified: true });
    expect((await platform.anonymous.as(client.authorization).get('/auth/me')).status).toBe(401);
  });

  it('let the person switch to another Space', async () => {
    const { client, email } = await member();
    const other = await platform.newSpace();
    await other.owner.post(`/spaces/${other.id}/members`, { email, role: 'VIEWER' });
    const external = await come({ sub: newSubject(), email, email_verified: true });
    const { status, body } = await external.post('/auth/switch-space', { spaceId: other.id });
    expect(status).toBe(200);
    const me = await platform.anonymous.as(`Bearer ${body.data.accessToken}`).get('/auth/me');
    expect(me.body.data).toMatchObject({
      user: { id: client.identity.userId },
      space: { id: other.id },
      role: 'VIEWER',
    });
  });

  describe('POST /auth/identities', () => {
    it("links the caller's account with what the token names", async () => {
      const { client } = await member();
      const sub = newSubject();
      const external = await come({ sub });
      expect((await external.get('/auth/me')).status).toBe(401);
      const linked = await gateway.at(client).post('/auth/identities', { token: await token({ sub }) });
      expect([linked.status, linked.body.data]).toEqual([201, {}]);
      const fresh = await come({ sub, nonce: 'another token' });
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

describe('an issuer without an audience', () => {
  it('is not believed', async () => {
    const gateway = await startGateway(platform, { OIDC_ISSUER: 'http://127.0.0.1:1' });
    try {
      const { privateKey } = await generateKeyPair('RS256');
      const token = await new SignJWT({ iss: 'http://127.0.0.1:1', sub: 'x', exp: Math.floor(Date.now() / 1000) + 300 })
        .setProtectedHeader({ alg: 'RS256' })
        .sign(privateKey);
      expect((await gateway.anonymous.as(`Bearer ${token}`).get('/auth/me')).status).toBe(401);
    } finally {
      await gateway.stop();
    }
  }, 200_000);
});
