import { createPublicKey } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { KeyCalls, type PublicJwk, serviceCtx } from '@switchyard/contracts';
import { Bus } from '@switchyard/messaging';
import { AccessTokenStrategy, type OwnKeys, type PublicKey } from './strategies/access-token.strategy';

const KEYS_FRESH_MS = 300_000;
const REREAD_AT_MOST_EVERY_MS = 2000;

/** The public keys of the key service, read again when they are old, when it says so, or when a key is missing. */
@Injectable()
export class OwnKeySet {
  private known: OwnKeys | undefined;
  private readAt = 0;
  private reading: Promise<OwnKeys> | undefined;

  constructor(private readonly bus: Bus) {}

  forget(): void {
    this.known = undefined;
  }

  /** The keys, with that of `kid` among them if there is one. */
  async withKey(kid: string): Promise<OwnKeys> {
    const keys = await this.current();
    // A key that was published a moment ago is worth one more look, but junk must not make us ask all the time.
    if (keys.byKid.has(kid) || Date.now() - this.readAt <= REREAD_AT_MOST_EVERY_MS) return keys;
    this.forget();
    return this.current();
  }

  private current(): Promise<OwnKeys> {
    if (this.known && Date.now() - this.readAt < KEYS_FRESH_MS) return Promise.resolve(this.known);
    this.reading ??= this.read().finally(() => {
      this.reading = undefined;
    });
    return this.reading;
  }

  private async read(): Promise<OwnKeys> {
    const { issuer, audience, keys } = await this.bus.call(KeyCalls.jwks, serviceCtx('gateway'), {});
    const known = { issuer, audience, byKid: new Map(keys.map((jwk) => [jwk.kid, publicKeyOf(jwk)])) };
    new AccessTokenStrategy(known);
    this.known = known;
    this.readAt = Date.now();
    return known;
  }
}

const publicKeyOf = ({ alg, ...jwk }: PublicJwk): PublicKey => ({
  alg,
  pem: createPublicKey({ key: { ...jwk }, format: 'jwk' })
    .export({ type: 'spki', format: 'pem' })
    .toString(),
});
