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

/** Converts to X25519: u = (1 + y) / (1 - y), as in RFC 7748. */
function exchangeKeyOf(ed25519: string): string {
  const bytes = Buffer.from(ed25519, 'base64url').reverse();
  // The highest bit is the sign of x, which u lacks.
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

/** Separate keys for the two algorithms. */
export interface PairKey {
  cipher: Buffer;
  hash: HmacKey;
  /** For encryption. */
  secrets: Buffer;
}

/**
 * Shared secrets of pairs of services, derived from their existing keys (static Diffie-Hellman): nothing is exchanged
 * or stored, and no third service can derive them. Each sending process has its own keys.
 */
export class SharedServiceKeys {
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

  /** Key for messages from `process` of this service to `receiver`; null for an unknown service. */
  to(receiver: string, process: string): PairKey | null {
    return this.keyOf(receiver, `${this.service} ${receiver}`, process);
  }

  /** Key for messages from `process` of `sender` to this service. */
  from(sender: string, process: string): PairKey | null {
    return this.keyOf(sender, `${sender} ${this.service}`, process);
  }

  private keyOf(other: string, direction: string, process: string): PairKey | null {
    const name = `${direction} ${process}`;
    const cached = this.derived.get(name);
    if (cached) return cached;
    const shared = this.sharedWith(other);
    if (!shared) return null;
    const bytes = Buffer.from(hkdfSync('sha256', shared, process, `switchyard seal ${direction}`, 96));
    const key = { cipher: bytes.subarray(0, 32), hash: hmacKeyOf(bytes.subarray(32, 64)), secrets: bytes.subarray(64) };
    this.derived.set(name, key);
    return key;
  }

  private sharedWith(other: string): Buffer | null {
    const cached = this.shared.get(other);
    if (cached) return cached;
    if (!Object.hasOwn(this.publicKeys, other)) return null;
    const shared = diffieHellman({ privateKey: this.own, publicKey: publicHalf(this.publicKeys[other] ?? '') });
    this.shared.set(other, shared);
    return shared;
  }
}
