import { type Client, type Reply, type TestSpace, signIn, until, usePlatform } from '@switchyard/testing';

const platform = usePlatform();

/** As docs/operate/secrets.md has it. */
const REPAIR = `update key.signing_keys set stage = 'RETIRING', retire_at = now() + interval '1 hour' where stage <> 'RETIRING'`;

describe('signing keys that cannot be decrypted', () => {
  let space: TestSpace;
  let person: Client;
  let keyClient: Client;
  let refreshToken: string;
  let bytes: { kid: string; byte: number }[] = [];

  const login = (): Promise<Reply> => {
    const { email, password } = space.owner.identity;
    return platform.anonymous.post('/auth/login', { email, password });
  };
  const restart = async (): Promise<void> => {
    for (const name of ['key', 'gateway']) await platform.service(name).restart();
    for (const name of ['key', 'gateway']) await platform.service(name).ready();
  };
  const keys = (): Promise<{ stage: string }[]> => platform.database.query('select stage from key.signing_keys');

  beforeAll(async () => {
    space = await platform.newSpace();
    const { email, password } = space.owner.identity;
    person = await signIn(platform.anonymous, email ?? '', password ?? '');
    keyClient = await space.key({ scopes: ['*'] });
    refreshToken = (await login()).body.data.refreshToken as string;
    bytes = await platform.database.query('select kid, get_byte(sealed_private_jwk, 1) as byte from key.signing_keys');
    await platform.database.query(
      'update key.signing_keys set sealed_private_jwk = set_byte(sealed_private_jwk, 1, 99)',
    );
    await restart();
  }, 300_000);
  // Other tests sign in and encrypt all secrets anew, also if one of these has failed.
  afterAll(async () => {
    await platform.database.query(`${REPAIR} and get_byte(sealed_private_jwk, 1) = 99`);
    await until(async () => (await login()).status === 200, { timeoutMs: 180_000 });
    for (const { kid, byte } of bytes)
      await platform.database.query(
        'update key.signing_keys set sealed_private_jwk = set_byte(sealed_private_jwk, 1, $2) where kid = $1',
        [kid, byte],
      );
  }, 300_000);

  it('verify what they have signed, and API keys work', async () => {
    expect((await person.get('/auth/me')).status).toBe(200);
    expect((await keyClient.get('/agents')).status).toBe(200);
    expect((await platform.anonymous.raw('GET', '/.well-known/jwks.json')).body.keys.length).toBeGreaterThan(1);
  });

  it('refuse sign-ins with 503 and the reason, and spend no refresh token', async () => {
    const refused = { status: 503, body: { message: expect.stringContaining('the signing key of access tokens') } };
    expect(await login()).toMatchObject(refused);
    expect(await platform.anonymous.post('/auth/refresh', { refreshToken })).toMatchObject(refused);
  });

  it('are replaced when they are retired, without a restart', async () => {
    await platform.database.query(REPAIR);
    await until(async () => (await login()).status === 200, { timeoutMs: 180_000 });
    expect((await platform.anonymous.post('/auth/refresh', { refreshToken })).status).toBe(200);
    expect((await person.get('/auth/me')).status).toBe(200);
    const { email, password } = space.owner.identity;
    const signedIn = await signIn(platform.anonymous, email ?? '', password ?? '');
    await until(async () => (await signedIn.get('/auth/me')).status === 200);
    expect((await keys()).map(({ stage }) => stage)).toEqual(expect.arrayContaining(['CURRENT', 'NEXT', 'RETIRING']));
  }, 300_000);
});
