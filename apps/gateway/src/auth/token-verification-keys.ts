import { createPublicKey } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { KeyCalls, type PublicJwk, serviceCtx } from '@switchyard/contracts';
import { RefreshingCache } from '@switchyard/concurrency';
import { Bus } from '@switchyard/messaging';
import { AccessTokenStrategy, type OwnKeys, type PublicKey } from './strategies/access-token.strategy';

const KEYS_FRESH_MS = 300_000;
const REREAD_AT_MOST_EVERY_MS = 2000;
const ALL = 'all';

interface ReadKeys {
  keys: OwnKeys;
  readAt: number;
}

/** The public keys of the key service, read again when they are old, when it says so, or when a key is missing. */
@Injectable()
export class TokenVerificationKeys {
  private readonly cache = new RefreshingCache<ReadKeys>({ freshMs: KEYS_FRESH_MS });

  constructor(private readonly bus: Bus) {}

  invalidate(): void {
    this.cache.delete(ALL);
  }

  /** The keys, with that of `kid` among them if there is one. */
  async withKey(kid: string): Promise<OwnKeys> {
    const found = await this.current();
    // A key that was published a moment ago is worth one more look, but junk must not make us ask all the time.
    if (found.keys.byKid.has(kid) || Date.now() - found.readAt <= REREAD_AT_MOST_EVERY_MS) return found.keys;
    // The first caller that misses a key begins the look, and the others join it.
    if (this.cache.peek(ALL) === found) this.cache.delete(ALL);
    return (await this.current()).keys;
  }

  private current(): ReadKeys | Promise<ReadKeys> {
    return this.cache.get(ALL, () => this.read());
  }

  private async read(): Promise<ReadKeys> {
    const { issuer, audience, keys } = await this.bus.call(KeyCalls.jwks, serviceCtx('gateway'), {});
    const found = { issuer, audience, byKid: new Map(keys.map((jwk) => [jwk.kid, publicKeyOf(jwk)])) };
    new AccessTokenStrategy(found);
    return { keys: found, readAt: Date.now() };
  }
}

const publicKeyOf = ({ alg, ...jwk }: PublicJwk): PublicKey => ({
  alg,
  pem: createPublicKey({ key: { ...jwk }, format: 'jwk' })
    .export({ type: 'spki', format: 'pem' })
    .toString(),
});
