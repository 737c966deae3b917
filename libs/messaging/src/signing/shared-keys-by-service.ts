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

const listed = (text: string): string[] => text.split(',');

const publicHalf = (ed25519: string): KeyObject =>
  createPublicKey({ key: { kty: 'OKP', crv: 'X25519', x: exchangeKeyOf(ed25519) }, format: 'jwk' });

/** All of a private X25519 key in PKCS #8 but the 32 bytes of the key. */
const X25519_HEAD = Buffer.from('302e020100300506032b656e04220420', 'hex');

/** Ed25519 signs with this half of the seed's digest. */
const privateHalf = (seed: string): KeyObject => {
  const half = createHash('sha512').update(Buffer.from(seed, 'base64url')).digest().subarray(0, 32);
  return createPrivateKey({ key: Buffer.concat([X25519_HEAD, half]), format: 'der', type: 'pkcs8' });
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
 *
 * While keys are rotated, a service has two, separated by a comma: the first is used, both are accepted.
 */
export class SharedServiceKeys {
  private readonly own: readonly KeyObject[];
  private readonly shared = new Map<string, Buffer>();
  private readonly derived = new LRUCache<string, PairKey>({ max: 2_000 });

  constructor(
    private readonly service: string,
    privateKey: string,
    private readonly publicKeys: Readonly<Record<string, string>>,
  ) {
    if (!publicKeys[service]) throw new Error(`SERVICE_PUBLIC_KEYS has no key of ${service}`);
    this.own = listed(privateKey).map(privateHalf);
  }

  /** Key for messages from `process` of this service to `receiver`; null for an unknown service. */
  to(receiver: string, process: string): PairKey | null {
    const direction = `${this.service} ${receiver}`;
    const name = `${direction} ${process}`;
    const cached = this.derived.get(name);
    if (cached) return cached;
    for (const shared of this.sharedWith(receiver)) {
      const key = derive(shared, direction, process);
      this.derived.set(name, key);
      return key;
    }
    return null;
  }

  /**
   * The result of `attempt` with the key of messages from `process` of `sender` to this service; undefined if no accepted
   * key satisfies it. A process uses one key, so the one that it has proven is the only one tried afterwards.
   */
  from<T>(sender: string, process: string, attempt: (key: PairKey) => T | undefined): T | undefined {
    const direction = `${sender} ${this.service}`;
    const name = `${direction} ${process}`;
    const cached = this.derived.get(name);
    if (cached) return attempt(cached);
    for (const shared of this.sharedWith(sender)) {
      const key = derive(shared, direction, process);
      const result = attempt(key);
      if (result === undefined) continue;
      this.derived.set(name, key);
      return result;
    }
    return undefined;
  }

  /** Secrets shared with another service, the one in use first. */
  private *sharedWith(other: string): Iterable<Buffer> {
    if (!Object.hasOwn(this.publicKeys, other)) return;
    for (const publicKey of listed(this.publicKeys[other] ?? ''))
      for (const [at, privateKey] of this.own.entries()) {
        const name = `${at} ${publicKey}`;
        const shared = this.shared.get(name) ?? diffieHellman({ privateKey, publicKey: publicHalf(publicKey) });
        this.shared.set(name, shared);
        yield shared;
      }
  }
}

function derive(shared: Buffer, direction: string, process: string): PairKey {
  const bytes = Buffer.from(hkdfSync('sha256', shared, process, `switchyard seal ${direction}`, 96));
  return { cipher: bytes.subarray(0, 32), hash: hmacKeyOf(bytes.subarray(32, 64)), secrets: bytes.subarray(64) };
}
