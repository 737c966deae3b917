import { Injectable } from '@nestjs/common';
import { type Ctx, KeyCalls } from '@switchyard/contracts';
import { RefreshingCache } from '@switchyard/concurrency';
import { AppError } from '@switchyard/kernel';
import { Bus } from '@switchyard/messaging';
import { type SpaceTerms, termsOf } from '../domain/space-spending-limits';
import { RelayConfig } from '../relay.config';

/** While the key service is unavailable, cached limits apply for another minute; then calls are refused. */
const AGES = { renewMs: 25_000, freshMs: 30_000, staleMs: 90_000 };
/** How long a slow key service is waited for: longer where nothing is known to go on with. */
const PATIENCE_MS = { withKnown: 3_000, withoutKnown: 10_000 };

/**
 * Spending limits of a Space, set by its owners and by operators. A signal applies a change at once; if the signal is
 * lost, it takes half a minute. After a reconnect all limits are read again.
 */
@Injectable()
export class SpendingLimitsCache {
  private readonly cache = new RefreshingCache<SpaceTerms>(AGES);

  constructor(
    private readonly bus: Bus,
    private readonly config: RelayConfig,
  ) {
    bus.onDown(() => {
      this.cache.expireAll();
    });
  }

  get(ctx: Ctx, spaceId: string): SpaceTerms | Promise<SpaceTerms> {
    return this.cache.get(spaceId, async (hasOlder) => {
      const timeoutMs = hasOlder ? PATIENCE_MS.withKnown : PATIENCE_MS.withoutKnown;
      const settings = await this.bus.call(
        KeyCalls.getSpaceSettings,
        { ...ctx, deadline: 0 },
        { spaceId },
        { timeoutMs },
      );
      return termsOf(settings, this.config);
    });
  }

  /** Starting balance of a Space without an account. */
  async startingTokens(ctx: Ctx, spaceId: string): Promise<number> {
    try {
      return (await this.get(ctx, spaceId)).startingTokens;
    } catch (error) {
      if (error instanceof AppError && error.code === 'NOT_FOUND') return 0;
      throw error;
    }
  }

  /** The Space's settings have changed. */
  invalidate(spaceId: string): void {
    this.cache.delete(spaceId);
  }
}
