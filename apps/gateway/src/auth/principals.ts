import { Injectable } from '@nestjs/common';
import { AppError } from '@switchyard/kernel';
import { KeyCalls, serviceCtx, tombstoneKey } from '@switchyard/contracts';
import { Bus } from '@switchyard/messaging';
import { RedisCache } from '@switchyard/service';
import { GatewayConfig } from '../gateway.config';
import { Credential } from './credential';
import { Principal, PrincipalCache } from './principal-cache';
import { TokenVerifier } from './token-verifier';

/** From a credential to who acts. Verification costs a call; a verified credential is believed for seconds. */
@Injectable()
export class Principals {
  readonly cache: PrincipalCache;
  private readonly asking = new Map<string, Promise<Principal>>();

  constructor(
    private readonly bus: Bus,
    private readonly tokens: TokenVerifier,
    private readonly redis: RedisCache,
    config: GatewayConfig,
  ) {
    this.cache = new PrincipalCache(config.CREDENTIAL_CACHE_MS);
  }

  /** At once when it is known, else a promise; rejects with UNAUTHORIZED. */
  resolve(credential: Credential): Principal | Promise<Principal> {
    const known = this.cache.find(credential.value);
    if (known) return known;
    if (this.cache.isJunk(credential.value)) throw unauthorized();
    let asking = this.asking.get(credential.value);
    if (!asking) {
      asking = this.ask(credential).finally(() => this.asking.delete(credential.value));
      this.asking.set(credential.value, asking);
    }
    return asking;
  }

  private async ask(credential: Credential): Promise<Principal> {
    const askedAt = Date.now();
    try {
      const principal =
        credential.kind === 'key' ? await this.verifyKey(credential.value) : await this.tokens.verify(credential.value);
      if (!this.cache.keep(credential.value, principal, askedAt)) throw unauthorized();
      if (principal.credentialId !== null) void this.heedMark(principal.credentialId);
      return principal;
    } catch (error) {
      if (!(error instanceof AppError) || (error.code !== 'UNAUTHORIZED' && error.code !== 'NOT_FOUND')) throw error;
      this.cache.noteJunk(credential.value);
      throw unauthorized();
    }
  }

  /**
   * Drops what changed while we were asking, should the signal of it have been lost. Nobody waits for it: this request
   * was verified, the next ones are what must not find a stale principal. Without Redis the cache is only short.
   */
  private async heedMark(credentialId: string): Promise<void> {
    if (!this.redis.isUp) return;
    const version = await this.redis.client.get(tombstoneKey(credentialId)).catch(() => null);
    if (version !== null) this.cache.end(credentialId, Number(version));
  }

  private async verifyKey(key: string): Promise<Principal> {
    const verified = await this.bus.call(KeyCalls.verifyKey, serviceCtx('gateway'), { key }, { timeoutMs: 5000 });
    const expiresAt = verified.expiresAt === null ? Number.MAX_SAFE_INTEGER : Date.parse(verified.expiresAt);
    return { ...verified, expiresAt };
  }
}

export const unauthorized = (): AppError =>
  new AppError('UNAUTHORIZED', 'Send a valid credential: Authorization: Bearer <token or API key>.');
