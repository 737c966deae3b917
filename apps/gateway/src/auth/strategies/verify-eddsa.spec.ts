import { type KeyObject, generateKeyPairSync } from 'node:crypto';
import { type JWTPayload, SignJWT, createLocalJWKSet } from 'jose';
import { verifyEdDsa } from './verify-eddsa';

const pair = generateKeyPairSync('ed25519');
const elliptic = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const jwkOf = ({ publicKey }: { publicKey: KeyObject }, kid: string, alg: string): object => ({
  ...(publicKey.export({ format: 'jwk' }) as object),
  kid,
  alg,
});
const keys = createLocalJWKSet({
  keys: [jwkOf(pair, 'ours', 'EdDSA'), jwkOf(elliptic, 'elliptic', 'ES256')] as { kty: string }[],
});
const rules = {
  issuer: 'https://issuer.example',
  audience: 'switchyard',
  typ: 'at+jwt',
  requiredClaims: ['sub', 'exp'],
  clockTolerance: 5,
};
const inSeconds = (offset: number): number => Math.floor(Date.now() / 1000) + offset;

const sign = (
  change: { claims?: JWTPayload; header?: object; key?: KeyObject; alg?: string } = {},
): Promise<string> => {
  const claims = { iss: rules.issuer, aud: rules.audience, sub: 'a', exp: inSeconds(60), ...change.claims };
  return new SignJWT(claims)
    .setProtectedHeader({ alg: change.alg ?? 'EdDSA', kid: 'ours', typ: 'at+jwt', ...change.header })
    .sign(change.key ?? pair.privateKey, { crit: { 'urn:example:ext': true } });
};
const verify = (token: string): Promise<JWTPayload> => verifyEdDsa(token, keys, rules);

describe('an EdDSA token of an external issuer', () => {
  it('is accepted with its claims', async () => {
    expect(await verify(await sign())).toMatchObject({ sub: 'a', iss: rules.issuer });
  });

  it.each<[string, () => string | Promise<string>]>([
    ['signed with another key', () => sign({ key: generateKeyPairSync('ed25519').privateKey })],
    [
      'of a key of another algorithm',
      () => sign({ alg: 'ES256', key: elliptic.privateKey, header: { kid: 'elliptic' } }),
    ],
    ['with an unknown kid', () => sign({ header: { kid: 'another' } })],
    ['of the type of an id_token', () => sign({ header: { typ: 'JWT' } })],
    ['with a critical header', () => sign({ header: { crit: ['urn:example:ext'], 'urn:example:ext': true } })],
    ['of another issuer', () => sign({ claims: { iss: 'https://x.example' } })],
    ['for another audience', () => sign({ claims: { aud: 'x' } })],
    ['that has expired', () => sign({ claims: { exp: inSeconds(-60) } })],
    ['that does not expire', () => sign({ claims: { exp: undefined } })],
    ['without a subject', () => sign({ claims: { sub: undefined } })],
    ['with a changed signature', async () => (await sign()).replace(/.{8}$/, 'AAAAAAAA')],
  ])('is refused %s', async (_, forge) => {
    const token = await forge();
    await expect(verify(token)).rejects.toThrow();
  });
});
