import {
  type ED25519KeyPairOptions,
  type JsonWebKey,
  type KeyObject,
  createPrivateKey,
  createPublicKey,
  generateKeyPair,
  generateKeyPairSync,
} from 'node:crypto';

/**
 * Keys are exported as DER, not JWK: Node 20 locks a key during JWK export, and a garbage collection at that moment
 * deadlocks the process.
 */
const AS_DER = {
  publicKeyEncoding: { type: 'spki', format: 'der' },
  privateKeyEncoding: { type: 'pkcs8', format: 'der' },
} as const;

const keyIn = (der: Buffer): KeyObject => createPrivateKey({ key: der, type: 'pkcs8', format: 'der' });

/** A new Ed25519 key pair in base64url. */
export function newEd25519(): { privateKey: string; publicKey: string } {
  const options: ED25519KeyPairOptions<'der', 'der'> = AS_DER;
  const { d, x } = keyIn(generateKeyPairSync('ed25519', options).privateKey).export({ format: 'jwk' });
  if (d === undefined || x === undefined) throw new Error('Node exported an Ed25519 key without its halves');
  return { privateKey: d, publicKey: x };
}

type PairAlgorithm = 'ES256' | 'RS256';

const MADE: Record<
  PairAlgorithm,
  (take: (error: Error | null, publicKey: Buffer, privateKey: Buffer) => void) => void
> = {
  ES256: (take) => {
    generateKeyPair('ec', { namedCurve: 'P-256', ...AS_DER }, take);
  },
  RS256: (take) => {
    generateKeyPair('rsa', { modulusLength: 2048, ...AS_DER }, take);
  },
};

const made = (algorithm: PairAlgorithm): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    MADE[algorithm]((error, _publicKey, privateKey) => {
      if (error) reject(error);
      else resolve(privateKey);
    });
  });

export async function newSigningPair(
  algorithm: PairAlgorithm,
): Promise<{ privateJwk: JsonWebKey; publicJwk: JsonWebKey }> {
  const key = keyIn(await made(algorithm));
  return { privateJwk: key.export({ format: 'jwk' }), publicJwk: createPublicKey(key).export({ format: 'jwk' }) };
}
