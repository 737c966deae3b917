import { RefreshingCache } from '@switchyard/concurrency';

/** A change is announced, so this is only for announcements that were lost. */
const AGES = { freshMs: 600_000, staleMs: Infinity, retryAfterMs: 1_000 };

type LoadPayer = (spaceId: string) => Promise<string>;

const ignore = (): void => undefined;

/**
 * Whose share of the platform each Space uses, as a key for counting: Spaces of one payer count together. Nothing waits
 * for an answer: a Space of which nothing is known counts for itself.
 */
export class PayerCache {
  private readonly cache = new RefreshingCache<string>(AGES);
  private ask: LoadPayer | undefined;

  /** From now on. Until then, and in a service without this look-up, each Space counts for itself. */
  askWith(ask: LoadPayer): void {
    this.ask = ask;
  }

  readonly of = (spaceId: string): string => {
    const payer = this.load(spaceId);
    if (typeof payer === 'string') return payer;
    payer.catch(ignore);
    return this.cache.peek(spaceId) ?? spaceId;
  };

  /** Resolves when the payers of these Spaces are known, or cannot be; nothing where they are known already. */
  know(spaceIds: readonly string[]): Promise<unknown> | undefined {
    const unknown = spaceIds.filter((spaceId) => this.cache.peek(spaceId) === undefined);
    return unknown.length > 0 ? Promise.allSettled(unknown.map(async (spaceId) => this.load(spaceId))) : undefined;
  }

  invalidate(spaceId: string): void {
    this.cache.expire(spaceId);
  }

  refreshAll(): void {
    this.cache.expireAll();
  }

  private load(spaceId: string): string | Promise<string> {
    const { ask } = this;
    if (!ask) return spaceId;
    return this.cache.get(spaceId, (hasOlder) =>
      ask(spaceId).catch((error: unknown) => {
        // Those that wait for a payer do not wait for it again.
        if (!hasOlder) this.cache.setExpired(spaceId, spaceId);
        throw error;
      }),
    );
  }
}
