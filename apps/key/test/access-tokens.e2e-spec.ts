import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { type Client, usePlatform } from '@switchyard/testing';
import {
  type CryptoKey,
  type JWK,
  type JWTHeaderParameters,
  SignJWT,
  UnsecuredJWT,
  decodeJwt,
  decodeProtectedHeader,
  exportJWK,
  importJWK,
} from 'jose';
import { openSigningKey } from './sealed';

const platform = usePlatform();

const jwks = async (): Promise<JWK[]> => {
  const { status, body } = await platform.anonymous.raw('GET', '/.well-known/jwks.json');
  expect(status).toBe(200);
  return body.keys as JWK[];
};

describe('GET /.well-known/jwks.json', () => {
  it('shows the current and the next public key, without an envelope and without a credential', async () => {
    const { body, headers } = await platform.anonymous.raw('GET', '/.well-known/jwks.json');
    expect(Object.keys(body)).toEqual(['keys']);
    expect(body.keys.length).toBeGreaterThanOrEqual(2);
    for (const key of body.keys) {
      expect(Object.keys(key).sort()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y']);
      expect(key).toMatchObject({ kty: 'EC', alg: 'ES256', use: 'sig', crv: 'P-256' });
    }
    expect(new Set(body.keys.map((key: JWK) => key.kid)).size).toBe(body.keys.length);
    expect(headers['content-type']).toContain('application/json');
  });

  it('keeps private keys encrypted', async () => {
    const rows = await platform.database.query<{ sealed: Buffer }>(
      'select sealed_private_jwk as sealed from key.signing_keys',
    );
    expect(rows.length).toBeGreaterThanOrEqual(2);
    for (const { sealed } of rows) expect(sealed.toString('latin1')).not.toMatch(/"(d|x|kty)"/);
  });
});

describe('an access token', () => {
  let owner: Client;
  let claims: Record<string, unknown>;
  let header: JWTHeaderParameters;

  beforeAll(async () => {
    ({ owner } = await platform.newSpace());
    claims = decodeJwt(owner.credential);
    header = decodeProtectedHeader(owner.credential) as JWTHeaderParameters;
  });

  const status = async (token: string): Promise<number> => (await owner.as(`Bearer ${token}`).get('/auth/me')).status;

  /** Signed by a key of ours that the platform does not know. */
  const forge = async (change: { header?: object; claims?: object } = {}): Promise<string> => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    return new SignJWT({ ...claims, ...change.claims })
      .setProtectedHeader({ ...header, ...change.header })
      .sign(privateKey);
  };

  it('is signed by a published key, lives 15 minutes, and says nothing about rights', async () => {
    expect(header).toEqual({ alg: 'ES256', typ: 'at+jwt', kid: expect.any(String) });
    expect((await jwks()).map((key) => key.kid)).toContain(header.kid);
    expect(Number(claims.exp) - Number(claims.iat)).toBe(900);
    expect(Object.keys(claims).sort()).toEqual(['aud', 'exp', 'iat', 'iss', 'jti', 'nbf', 'sid', 'space', 'sub']);
    expect(await status(owner.credential)).toBe(200);
  });

  it('is refused with algorithm none', async () => {
    expect(await status(new UnsecuredJWT(claims).encode())).toBe(401);
    const [, payload] = owner.credential.split('.');
    const none = Buffer.from(JSON.stringify({ ...header, alg: 'none' })).toString('base64url');
    expect(await status(`${none}.${payload ?? ''}.`)).toBe(401);
    expect(await status(`${none}.${payload ?? ''}.AA`)).toBe(401);
  });

  it('is refused when the public key served as a shared secret', async () => {
    const [key] = await jwks();
    for (const secret of [
      Buffer.from(key?.x ?? '', 'base64url'),
      JSON.stringify(key),
      Buffer.from(key?.x ?? ''),
      createPublicKey({ key: { ...key }, format: 'jwk' })
        .export({ type: 'spki', format: 'pem' })
        .toString(),
    ].map((text) => Buffer.from(text))) {
      const token = await new SignJWT(claims).setProtectedHeader({ ...header, alg: 'HS256' }).sign(secret);
      expect(await status(token)).toBe(401);
    }
  });

  it('is refused when it brings its own key', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const jwk = await exportJWK(publicKey);
    const token = (extra: object): Promise<string> =>
      new SignJWT(claims).setProtectedHeader({ ...header, ...extra }).sign(privateKey);
    expect(await status(await token({ jwk }))).toBe(401);
    expect(await status(await token({ jwk, kid: undefined }))).toBe(401);
    expect(await status(await token({ jku: 'https://attacker.example/jwks.json' }))).toBe(401);
    expect(await status(await token({ x5u: 'https://attacker.example/cert.pem' }))).toBe(401);
  });

  it.each([
    ['a signature of somebody else', {}],
    ['an unknown kid', { header: { kid: 'no-such-key' } }],
    ['a kid that is no text', { header: { kid: { toString: 'x' } } }],
    ['no kid', { header: { kid: undefined } }],
  ])('is refused with %s', async (_, change) => {
    expect(await status(await forge(change))).toBe(401);
  });

  it('is refused when a single character was changed', async () => {
    const [head, payload, signature] = owner.credential.split('.') as [string, string, string];
    const changed = Buffer.from(JSON.stringify({ ...claims, sub: 'somebody-else' })).toString('base64url');
    expect(await status(`${head}.${changed}.${signature}`)).toBe(401);
    const flipped = (signature.startsWith('A') ? 'B' : 'A') + signature.slice(1);
    expect(await status(`${head}.${payload}.${flipped}`)).toBe(401);
  });

  it.each(['Bearer', 'bearer', 'BEARER', 'ApiKey', 'apikey', 'API-Key', 'api-key', 'Token', 'token'])(
    'comes in as %s',
    async (scheme) => {
      expect((await owner.as(`${scheme} ${owner.credential}`).get('/auth/me')).status).toBe(200);
    },
  );

  it('comes in by no other way', async () => {
    const { credential } = owner;
    const refused = [
      `Basic ${credential}`,
      credential,
      `Bearer  ${credential}`,
      `Bearer\t${credential}`,
      `Bearer ${credential} x`,
      'Bearer',
    ];
    for (const authorization of refused) expect((await owner.as(authorization).get('/auth/me')).status).toBe(401);
    expect((await owner.as(null).get(`/auth/me?access_token=${credential}`)).status).toBe(401);
    expect(
      (await owner.as(null).get('/auth/me', undefined, { headers: { cookie: `token=${credential}` } })).status,
    ).toBe(401);
  });

  describe('signed with the real key', () => {
    let privateKey: CryptoKey;
    let sign: (change: { header?: object; claims?: object }) => Promise<string>;

    beforeAll(async () => {
      const [row] = await platform.database.query<{ kid: string; sealed: Buffer }>(
        `select kid, sealed_private_jwk as sealed from key.signing_keys where stage = 'CURRENT'`,
      );
      privateKey = (await importJWK(
        openSigningKey(platform, row?.sealed ?? Buffer.alloc(0), row?.kid ?? ''),
        'ES256',
      )) as CryptoKey;
      sign = (change) =>
        new SignJWT({ ...claims, ...change.claims })
          .setProtectedHeader({ ...header, ...change.header })
          .sign(privateKey);
    });

    const seconds = (offset: number): number => Math.floor(Date.now() / 1000) + offset;

    it('is believed when all is right: the refusals below are not for the signature', async () => {
      expect(await status(await sign({}))).toBe(200);
    });

    it.each<[string, { header?: object; claims?: object }]>([
      ['another audience', { claims: { aud: 'somebody-else' } }],
      ['no audience', { claims: { aud: undefined } }],
      ['another issuer', { claims: { iss: 'https://attacker.example' } }],
      ['no issuer', { claims: { iss: undefined } }],
      ['the type of an id token', { header: { typ: 'JWT' } }],
      ['no type', { header: { typ: undefined } }],
      ['an end in the past', { claims: { exp: seconds(-60) } }],
      ['no end', { claims: { exp: undefined } }],
      ['a beginning in the future', { claims: { nbf: seconds(120) } }],
      ['no person', { claims: { sub: undefined } }],
      ['a person that is none', { claims: { sub: '01890000-0000-7000-8000-000000000000' } }],
      ['a Space that is not theirs', { claims: { space: '01890000-0000-7000-8000-000000000000' } }],
      ['no Space', { claims: { space: undefined } }],
      ['a Space that is no id', { claims: { space: 'x' } }],
      ['a sign-in that is none', { claims: { sid: '01890000-0000-7000-8000-000000000000' } }],
      ['no sign-in', { claims: { sid: undefined } }],
    ])('is refused with %s', async (_, change) => {
      expect(await status(await sign(change))).toBe(401);
    });

    it('is refused with an unknown critical header', async () => {
      const token = await new SignJWT(claims)
        .setProtectedHeader({ ...header, crit: ['urn:example:ext'], 'urn:example:ext': true })
        .sign(privateKey, { crit: { 'urn:example:ext': true } });
      expect(await status(token)).toBe(401);
    });

    it('does not grant what it claims', async () => {
      const space = await platform.newSpace();
      const viewer = await space.member('VIEWER');
      const own = decodeJwt(viewer.credential);
      const token = await sign({ claims: { ...own, role: 'OWNER', scopes: ['*'] } });
      const client = viewer.as(`Bearer ${token}`);
      expect((await client.get('/auth/me')).body.data.role).toBe('VIEWER');
      expect((await client.post('/api-keys', { name: 'x' })).status).toBe(403);
    });
  });

  it('answers every refusal alike, and says how to come in', async () => {
    const replies = await Promise.all(
      [null, 'Bearer x', `Bearer ${'a'.repeat(40)}`, `Bearer ${await forge()}`].map((authorization) =>
        owner.as(authorization).get('/auth/me'),
      ),
    );
    for (const reply of replies) {
      expect(reply.status).toBe(401);
      expect(reply.body).toEqual({ success: false, message: expect.any(String), code: 'UNAUTHORIZED' });
      expect(reply.body).toEqual(replies[0]?.body);
      expect(reply.headers['www-authenticate']).toMatch(/^Bearer/);
    }
  });
});
