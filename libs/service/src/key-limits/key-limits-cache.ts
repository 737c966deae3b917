import { type Ctx, KeyCalls, type CountedLimits, isLimited } from '@switchyard/contracts';
import { RefreshingCache } from '@switchyard/concurrency';
import type { Bus } from '@switchyard/messaging';

/** While the key service is unavailable, cached limits apply for another minute; then calls are refused. */
const AGES = { renewMs: 25_000, freshMs: 30_000, staleMs: 90_000 };
const TIMEOUT_MS = 5_000;

const NONE: CountedLimits = Object.freeze({});

/**
 * Limits of a caller's key. A signal applies changes at once; a missed signal delays them by up to half a minute. After
 * a disconnect limits are read again.
 */
export class KeyLimitsCache {
  private readonly cache = new RefreshingCache<CountedLimits>(AGES);

  constructor(private readonly bus: Bus) {
    bus.onDown(() => {
      this.cache.expireAll();
    });
  }

  /** At once where they are cached. People and applications have none. */
  of(ctx: Ctx): CountedLimits | Promise<CountedLimits> {
    const { credentialId, spaceId } = ctx;
    if (!isLimited(ctx) || credentialId === null || spaceId === null) return NONE;
    return this.cache.get(credentialId, () => {
      const asker = { ...ctx, deadline: 0, idempotency: undefined };
      return this.bus.call(KeyCalls.getKeyLimits, asker, { keyId: credentialId }, { timeoutMs: TIMEOUT_MS });
    });
  }

  /** The key has changed. */
  invalidate(keyId: string): void {
    this.cache.delete(keyId);
  }
}
