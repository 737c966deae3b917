import { Injectable } from '@nestjs/common';
import { type Ctx, KeySignals, TOMBSTONE_SECONDS, tombstoneKey } from '@switchyard/contracts';
import { Bus } from '@switchyard/messaging';
import { Logger, RedisCache } from '@switchyard/service';

/**
 * Tells the caches of the platform that a credential changed: always after the commit. The mark in Redis stops
 * a cache that read the database just before; the signal empties the caches that are warm. Both may be lost;
 * caches keep nothing longer than a few seconds.
 */
@Injectable()
export class AuthCacheInvalidation {
  constructor(
    private readonly bus: Bus,
    private readonly redis: RedisCache,
    private readonly logger: Logger,
  ) {}

  async revoked(ctx: Ctx, credentialIds: readonly string[]): Promise<void> {
    for (const credentialId of credentialIds) {
      await this.mark(credentialId, Number.MAX_SAFE_INTEGER);
      this.bus.signal(KeySignals.credentialRevoked, ctx, { credentialId });
    }
  }

  async changed(ctx: Ctx, credentialId: string, version: number): Promise<void> {
    await this.mark(credentialId, version);
    this.bus.signal(KeySignals.credentialChanged, ctx, { credentialId, version });
  }

  memberChanged(ctx: Ctx, spaceId: string, userId: string): void {
    this.bus.signal(KeySignals.memberChanged, ctx, { spaceId, userId });
  }

  /** In every Space: the account was disabled or enabled, or has become or ceased to be an operator. */
  accountChanged(ctx: Ctx, userId: string): void {
    this.bus.signal(KeySignals.accountChanged, ctx, { userId });
  }

  private async mark(credentialId: string, version: number): Promise<void> {
    try {
      await this.redis.client.set(tombstoneKey(credentialId), String(version), 'EX', TOMBSTONE_SECONDS);
    } catch (error) {
      this.logger.warn({ credentialId, err: error }, 'failed to mark a changed credential: Redis is unavailable');
    }
  }
}
