import { type Client, until, usePlatform } from '@switchyard/testing';
import { SignJWT, importJWK } from 'jose';
import { type LoneKeyService, startLoneKeyService } from './lone-key-service';
import { openSigningKey } from './sealed';

const platform = usePlatform();

interface StoredKey {
  kid: string;
  algorithm: string;
  stage: string;
  sealed: Buffer;
  retireAt: Date | null;
}

describe('signing keys', () => {
  let lone: LoneKeyService;

  beforeAll(async () => {
    lone = await startLoneKeyService(platform);
  }, 400_000);
  afterAll(() => lone.stop());

  const stored = (): Promise<(StoredKey & Record<string, unknown>)[]> =>
    lone.database.query(
      'select kid, algorithm, stage, sealed_private_jwk as sealed, retire_at as "retireAt" from key.signing_keys',
    );
  const inStage = async (stage: string): Promise<StoredKey | undefined> =>
    (await stored()).find((key) => key.stage === stage);
  const published = async (): Promise<{ kid: string; alg: string }[]> =>
    (await lone.gateway.anonymous.raw('GET', '/.well-known/jwks.json')).body.keys;
  const kids = async (): Promise<string[]> => (await published()).map((key) => key.kid);

  /** The first owner, with a token signed by the key that signs now. */
  async function signedIn(): Promise<Client> {
    const [member] = await lone.database.query<{ userId: string; spaceId: string }>(
      'select user_id as "userId", space_id as "spaceId" from key.members',
    );
    const [signIn] = await lone.database.query<{ id: string }>(
      `insert into key.sign_ins (space_id, id, user_id, ends_at) values ($1, gen_random_uuid(), $2, now() + interval '1 day') returning id`,
      [member?.spaceId, member?.userId],
    );
    const key = await inStage('CURRENT');
    if (!key) throw new Error('no current key');
    const token = await new SignJWT({ space: member?.spaceId, sid: signIn?.id })
      .setProtectedHeader({ alg: key.algorithm, kid: key.kid, typ: 'at+jwt' })
      .setSubject(member?.userId ?? '')
      .setIssuer('switchyard')
      .setAudience('switchyard-api')
      .setJti('one')
      .setIssuedAt()
      .setExpirationTime('15m')
      .sign(await importJWK(openSigningKey(platform, key.sealed, key.kid), key.algorithm));
    return lone.gateway.anonymous.as(`Bearer ${token}`);
  }

  /** Past the gate there is nothing here but 503. */
  const opens = async (client: Client): Promise<boolean> => {
    const { status } = await client.get('/auth/me');
    expect([401, 503]).toContain(status);
    return status === 503;
  };

  it('move on in time: the next one signs, the old one verifies what it signed, and then goes', async () => {
    const before = await signedIn();
    expect(await opens(before)).toBe(true);
    const current = await inStage('CURRENT');
    const next = await inStage('NEXT');
    expect((await kids()).sort()).toEqual([current?.kid, next?.kid].sort());

    await lone.database.query(
      `update key.signing_keys set current_since = now() - interval '91 days' where stage = 'CURRENT'`,
    );
    await lone.restart();
    await until(async () => (await inStage('CURRENT'))?.kid === next?.kid);
    expect([await opens(before), await opens(await signedIn())]).toEqual([true, true]);
    const retiring = await inStage('RETIRING');
    expect(retiring?.kid).toBe(current?.kid);
    expect(retiring?.retireAt?.getTime()).toBeGreaterThan(Date.now() + 900_000);
    await until(async () => (await kids()).length === 3 && (await kids()).includes(current?.kid ?? ''));

    await lone.database.query(`update key.signing_keys set retire_at = now() where stage = 'RETIRING'`);
    await lone.restart();
    await until(async () => (await kids()).length === 2 && !(await kids()).includes(current?.kid ?? ''));
    expect(await opens(await signedIn())).toBe(true);
  }, 400_000);

  /** As if the next key had been published for as long as a change of the algorithm takes. */
  const publishLong = (): Promise<unknown> =>
    lone.database.query(`update key.signing_keys set created_at = now() - interval '61 minutes' where stage = 'NEXT'`);

  it('change to RS256 by configuration, and older tokens live on', async () => {
    const before = await signedIn();
    await lone.restart({ JWT_ALGORITHM: 'RS256' });
    await until(async () => (await inStage('NEXT'))?.algorithm === 'RS256');
    expect((await inStage('CURRENT'))?.algorithm).toBe('ES256');
    await publishLong();
    await lone.restart({ JWT_ALGORITHM: 'RS256' });
    await until(async () => (await inStage('CURRENT'))?.algorithm === 'RS256');
    const current = await inStage('CURRENT');
    const shown = await until(async () => (await published()).find((key) => key.kid === current?.kid));
    expect(shown).toEqual({
      kty: 'RSA',
      kid: current?.kid,
      alg: 'RS256',
      use: 'sig',
      n: expect.any(String),
      e: 'AQAB',
    });
    expect([await opens(before), await opens(await signedIn())]).toEqual([true, true]);
  }, 400_000);

  it('are made once, as is the first owner, however often the service starts', async () => {
    const count = (): Promise<unknown> =>
      lone.database
        .query(`select (select count(*)::int from key.signing_keys where stage in ('CURRENT', 'NEXT')) as keys,
                                  (select count(*)::int from key.users) as people, (select count(*)::int from key.spaces) as spaces`);
    expect(await count()).toEqual([{ keys: 2, people: 1, spaces: 1 }]);
    await lone.restart({ JWT_ALGORITHM: 'RS256', BOOTSTRAP_EMAIL: 'another@test.example' });
    expect(await count()).toEqual([{ keys: 2, people: 1, spaces: 1 }]);
  }, 400_000);
});
