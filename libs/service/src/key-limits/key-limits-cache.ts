import { type Ctx, KeyCalls, type KeyLimits } from '@switchyard/contracts';
import type { Bus } from '@switchyard/messaging';
import { LRUCache } from 'lru-cache';

const FRESH_MS = 5_000;
/** While the key service is away, what was known a minute ago still holds; after that calls are refused. */
const STALE_MS = 60_000;
const TIMEOUT_MS = 5_000;

const NONE: KeyLimits = Object.freeze({});

/** What the key of a caller may use, at most five seconds old; a signal makes a change hold at once. */
export class KeyLimitsCache {
  private readonly known = new LRUCache<string, { limits: KeyLimits; at: number }>({ max: 20_000 });
  private readonly asking = new Map<string, Promise<KeyLimits>>();
  private changes = 0;

  constructor(private readonly bus: Bus) {}

  /** At once where they are known. People and applications have none. */
  of(ctx: Ctx): KeyLimits | Promise<KeyLimits> {
    const { credentialType, credentialId, spaceId } = ctx;
    if (credentialType !== 'api_key' || credentialId === null || spaceId === null) return NONE;
    const known = this.known.get(credentialId);
    const age = known ? performance.now() - known.at : Infinity;
    if (known && age < FRESH_MS) return known.limits;
    let asking = this.asking.get(credentialId);
    if (!asking) {
      const asked = this.ask(ctx, credentialId).finally(() => {
        if (this.asking.get(credentialId) === asked) this.asking.delete(credentialId);
      });
      asking = asked;
      this.asking.set(credentialId, asked);
    }
    return known && age < STALE_MS ? asking.catch(() => known.limits) : asking;
  }

  /** The key has changed: the next call asks, and does not share an answer that may be older. */
  forget(keyId: string): void {
    this.changes += 1;
    this.known.delete(keyId);
    this.asking.delete(keyId);
  }

  private async ask(ctx: Ctx, keyId: string): Promise<KeyLimits> {
    const { changes } = this;
    const asker = { ...ctx, deadline: 0, idempotency: undefined };
    const limits = await this.bus.call(KeyCalls.getKeyLimits, asker, { keyId }, { timeoutMs: TIMEOUT_MS });
    if (this.changes === changes) this.known.set(keyId, { limits, at: performance.now() });
    return limits;
  }
}
