import { type KeyObject, createHmac, generateKeyPairSync } from 'node:crypto';
import { AppError, newId } from '@switchyard/kernel';
import { KeyCalls, type PublicJwk } from '@switchyard/contracts';
import type { Bus } from '@switchyard/messaging';
import { type JWTPayload, SignJWT } from 'jose';
import { GatewayConfig } from '../../gateway.config';
import { ExternalIssuer } from '../external-issuer';
import { ExternalIssuerKeys } from '../external-issuer-keys';
import { TokenVerificationKeys } from '../token-verification-keys';
import { TokenVerifier } from '../token-verifier';

const pairs = {
  ES256: generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  RS256: generateKeyPairSync('rsa', { modulusLength: 2048 }),
  EdDSA: generateKeyPairSync('ed25519'),
};
type Algorithm = keyof typeof pairs;
const algorithms = ['ES256', 'RS256'] as const;

const keys = (Object.keys(pairs) as Algorithm[]).map((alg) => ({
  ...(pairs[alg].publicKey.export({ format: 'jwk' }) as object),
  kid: `the-${alg}-key`,
  alg,
  use: 'sig',
})) as PublicJwk[];
const member = { userId: newId(), spaceId: newId(), email: 'a@b.example', name: 'A', role: 'MEMBER' };

const bus = {
  call: (contract: { subject: string }) =>
    Promise.resolve(contract === KeyCalls.jwks ? { issuer: 'switchyard', audience: 'switchyard-api', keys } : member),
} as unknown as Bus;
// No external issuer.
const config = new GatewayConfig();
const external = new ExternalIssuerKeys(config);
const verifier = new TokenVerifier(bus, new TokenVerificationKeys(bus), new ExternalIssuer(external, config), config);

const seconds = (offset: number): number => Math.floor(Date.now() / 1000) + offset;
const claims = (change: JWTPayload = {}): JWTPayload => ({
  iss: 'switchyard',
  aud: 'switchyard-api',
  sub: member.userId,
  space: member.spaceId,
  sid: newId(),
  jti: newId(),
  iat: seconds(0),
  nbf: seconds(0),
  exp: seconds(900),
  ...change,
});
const header = (alg: Algorithm, change: object = {}): object => ({
  alg,
  kid: `the-${alg}-key`,
  typ: 'at+jwt',
  ...change,
});
const sign = (
  alg: Algorithm,
  change: { header?: object; claims?: JWTPayload; key?: KeyObject } = {},
): Promise<string> =>
  new SignJWT(claims(change.claims))
    .setProtectedHeader(header(alg, change.header) as { alg: string })
    .sign(change.key ?? pairs[alg].privateKey, { crit: { 'urn:example:ext': true } });

/** Signs any header and payload, which libraries refuse. */
function compact(head: object, secret?: string | Buffer): string {
  const text = [head, claims()].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
  return `${text}.${secret === undefined ? '' : createHmac('sha256', secret).update(text).digest('base64url')}`;
}

const outcome = async (token: string): Promise<string> => {
  try {
    return (await verifier.verify(token)).userId ?? '';
  } catch (error) {
    if (error instanceof AppError) return error.code;
    throw error;
  }
};

describe.each(algorithms)('an access token of an %s key', (alg) => {
  const stranger = pairs[alg];
  const pem = stranger.publicKey.export({ type: 'spki', format: 'pem' }).toString();
  const others = {
    ES256: () => generateKeyPairSync('ec', { namedCurve: 'P-256' }),
    RS256: () => generateKeyPairSync('rsa', { modulusLength: 2048 }),
  }[alg]();
  const jwk = others.publicKey.export({ format: 'jwk' });

  it('is believed', async () => {
    expect(await outcome(await sign(alg))).toBe(member.userId);
    expect(await outcome(await sign(alg, { header: { typ: 'application/AT+JWT' } }))).toBe(member.userId);
  });

  it.each<[string, () => string | Promise<string>]>([
    ['with algorithm none', () => compact(header(alg, { alg: 'none' }))],
    ['with algorithm none and a signature', () => compact(header(alg, { alg: 'none' }), 'x')],
    ['with HS256 and the public key as the secret', () => compact(header(alg, { alg: 'HS256' }), pem)],
    [
      'with HS256 and the public key without its last line break',
      () => compact(header(alg, { alg: 'HS256' }), pem.trim()),
    ],
    [
      'with HS256 and the published key as the secret',
      () => compact(header(alg, { alg: 'HS256' }), JSON.stringify(keys[0])),
    ],
    ['with its own algorithm over a shared secret', () => compact(header(alg), pem)],
    ['without a signature', () => compact(header(alg))],
    ['signed by somebody else', () => sign(alg, { key: others.privateKey })],
    ['that brings its own key', () => sign(alg, { key: others.privateKey, header: { jwk } })],
    [
      'that brings its own key and names none',
      () => sign(alg, { key: others.privateKey, header: { jwk, kid: undefined } }),
    ],
    [
      'that says where its key is',
      () => sign(alg, { key: others.privateKey, header: { jku: 'https://x.example', x5u: 'https://x.example' } }),
    ],
    ['with an unknown kid', () => sign(alg, { header: { kid: 'another' } })],
    ['without a kid', () => sign(alg, { header: { kid: undefined } })],
    [
      'under the kid of a key of another algorithm',
      () => sign(alg, { header: { kid: `the-${alg === 'ES256' ? 'RS256' : 'ES256'}-key` } }),
    ],
    ['of the type of an id_token', () => sign(alg, { header: { typ: 'JWT' } })],
    ['without a type', () => sign(alg, { header: { typ: undefined } })],
    ['with a critical header', () => sign(alg, { header: { crit: ['urn:example:ext'], 'urn:example:ext': true } })],
    ['of another issuer', () => sign(alg, { claims: { iss: 'https://x.example' } })],
    ['without an issuer', () => sign(alg, { claims: { iss: undefined } })],
    ['for another audience', () => sign(alg, { claims: { aud: 'x' } })],
    ['without an audience', () => sign(alg, { claims: { aud: undefined } })],
    ['that has expired', () => sign(alg, { claims: { exp: seconds(-60) } })],
    ['that does not expire', () => sign(alg, { claims: { exp: undefined } })],
    ['that is not valid yet', () => sign(alg, { claims: { nbf: seconds(60) } })],
    ['without an id', () => sign(alg, { claims: { jti: undefined } })],
    ['without a time', () => sign(alg, { claims: { iat: undefined } })],
    ['without a person', () => sign(alg, { claims: { sub: undefined } })],
    ['without a sign-in', () => sign(alg, { claims: { sid: undefined } })],
  ])('is refused %s', async (_, forge) => {
    expect(await outcome(await forge())).toBe('UNAUTHORIZED');
  });
});

describe('access tokens', () => {
  it('of an EdDSA key are refused, also if the key is published', async () => {
    expect(await outcome(await sign('EdDSA'))).toBe('UNAUTHORIZED');
  });

  it('verified at the same time are each answered with their own claims', async () => {
    const ends = Array.from({ length: 60 }, (_, at) => seconds(100 + at));
    const found = await Promise.all(
      ends.map(async (exp, at) => {
        const token = await sign(algorithms[at % 2] ?? 'ES256', { claims: { exp } });
        return (await verifier.verify(token)).expiresAt;
      }),
    );
    expect(found).toEqual(ends.map((exp) => exp * 1000));
  });

  it.each(['a.b.c', 'e30.e30.e30', 'bnVsbA.bnVsbA.AA', 'W10.W10.AA'])('that are junk are refused: %s', async (junk) => {
    expect(await outcome(junk)).toBe('UNAUTHORIZED');
  });
});
