import { createHash, createPrivateKey, createPublicKey, diffieHellman, hkdfSync } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { type HmacKey, hmacKeyOf } from './short-mac';

const P = 2n ** 255n - 19n;

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n;
  for (let square = base % P, rest = exponent; rest > 0n; rest >>= 1n, square = (square * square) % P)
    if (rest & 1n) result = (result * square) % P;
  return result;
}

/** The same point of the curve, as X25519 has it: u = (1 + y) / (1 - y), as in RFC 7748. */
function exchangeKeyOf(ed25519: string): string {
  const bytes = Buffer.from(ed25519, 'base64url').reverse();
  // The highest bit is the sign of x, which u does not know.
  bytes[0] = (bytes[0] ?? 0) & 0x7f;
  const y = BigInt(`0x${bytes.toString('hex')}`);
  const u = ((1n + y) * power((P + 1n - y) % P, P - 2n)) % P;
  return Buffer.from(u.toString(16).padStart(64, '0'), 'hex').reverse().toString('base64url');
}

const publicHalf = (ed25519: string): KeyObject =>
  createPublicKey({ key: { kty: 'OKP', crv: 'X25519', x: exchangeKeyOf(ed25519) }, format: 'jwk' });

/** Ed25519 signs with this half of the seed's digest. */
const privateHalf = (seed: string, ed25519: string): KeyObject => {
  const d = createHash('sha512').update(Buffer.from(seed, 'base64url')).digest().subarray(0, 32).toString('base64url');
  return createPrivateKey({ key: { kty: 'OKP', crv: 'X25519', x: exchangeKeyOf(ed25519), d }, format: 'jwk' });
};

/** No key serves two algorithms. */
export interface PairKey {
  cipher: Buffer;
  hash: HmacKey;
  /** For what only the receiver may read. */
  secrets: Buffer;
}

/**
 * Secret keys of pairs of services, agreed upon from the keys that they have anyway (a static Diffie-Hellman): no third
 * service can compute one, and nothing has to be exchanged or stored. Each process that seals has keys of its own.
 */
export class PairKeys {
  private readonly own: KeyObject;
  private readonly shared = new Map<string, Buffer>();
  private readonly derived = new LRUCache<string, PairKey>({ max: 2_000 });

  constructor(
    private readonly service: string,
    privateKey: string,
    private readonly publicKeys: Readonly<Record<string, string>>,
  ) {
    const own = publicKeys[service];
    if (!own) throw new Error(`SERVICE_PUBLIC_KEYS has no key of ${service}`);
    this.own = privateHalf(privateKey, own);
  }

  /** For what `process`, of this service, sends to `receiver`; null where no such service is known. */
  to(receiver: string, process: string): PairKey | null {
    return this.keyOf(receiver, `${this.service} ${receiver}`, process);
  }

  /** For what `process` of `sender` sends to this service. */
  from(sender: string, process: string): PairKey | null {
    return this.keyOf(sender, `${sender} ${this.service}`, process);
  }

  private keyOf(other: string, direction: string, process: string): PairKey | null {
    const name = `${direction} ${process}`;
    const known = this.derived.get(name);
    if (known) return known;
    const shared = this.sharedWith(other);
    if (!shared) return null;
    const bytes = Buffer.from(hkdfSync('sha256', shared, process, `switchyard seal ${direction}`, 96));
    const key = { cipher: bytes.subarray(0, 32), hash: hmacKeyOf(bytes.subarray(32, 64)), secrets: bytes.subarray(64) };
    this.derived.set(name, key);
    return key;
  }

  private sharedWith(other: string): Buffer | null {
    const known = this.shared.get(other);
    if (known) return known;
    if (!Object.hasOwn(this.publicKeys, other)) return null;
    const shared = diffieHellman({ privateKey: this.own, publicKey: publicHalf(this.publicKeys[other] ?? '') });
    this.shared.set(other, shared);
    return shared;
  }
}
