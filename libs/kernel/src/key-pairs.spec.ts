import { createPrivateKey, createPublicKey, sign, verify } from 'node:crypto';
import { newEd25519, newSigningPair } from './key-pairs';

describe('new pairs of keys', () => {
  it('fit together', () => {
    const { privateKey: d, publicKey: x } = newEd25519();
    const key = createPrivateKey({ key: { kty: 'OKP', crv: 'Ed25519', d, x }, format: 'jwk' });
    const other = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
    expect(verify(null, Buffer.from('a'), other, sign(null, Buffer.from('a'), key))).toBe(true);
  });

  it.each([
    ['ES256', 'EC'],
    ['RS256', 'RSA'],
  ] as const)('are made for %s, the public one without the private half', async (algorithm, kty) => {
    const { privateJwk, publicJwk } = await newSigningPair(algorithm);
    expect([privateJwk.kty, publicJwk.kty]).toEqual([kty, kty]);
    expect([privateJwk.d !== undefined, publicJwk.d]).toEqual([true, undefined]);
    const bytes = Buffer.from('a');
    const signature = sign('sha256', bytes, createPrivateKey({ key: privateJwk, format: 'jwk' }));
    expect(verify('sha256', bytes, createPublicKey({ key: publicJwk, format: 'jwk' }), signature)).toBe(true);
  });
});
