import { upToEntries } from '@switchyard/kernel';
import { LRUCache } from 'lru-cache';

/** A change is announced, so this is only for announcements that were lost. */
const FRESH_MS = 600_000;
const ASK_AGAIN_MS = 1_000;

type Ask = (spaceId: string) => Promise<string>;

interface Known {
  payer: string;
  freshUntil: number;
}

/**
 * Whose share of the platform each Space uses, as a key for counting: Spaces of one payer count together. Nothing waits
 * for an answer: a Space of which nothing is known counts for itself.
 */
export class Payers {
  private readonly known = new LRUCache<string, Known>(upToEntries(50_000));
  private readonly asking = new Map<string, Promise<void>>();
  private ask: Ask | undefined;

  /** From now on. Before, and in a service that asks nobody, each Space counts for itself. */
  askWith(ask: Ask): void {
    this.ask = ask;
  }

  readonly of = (spaceId: string): string => {
    const known = this.known.get(spaceId);
    if (known === undefined || known.freshUntil <= performance.now()) void this.look(spaceId);
    return known?.payer ?? spaceId;
  };

  /** Resolves when the payers of these Spaces are known, or cannot be; nothing where they are known already. */
  know(spaceIds: readonly string[]): Promise<unknown> | undefined {
    const unknown = spaceIds.filter((spaceId) => !this.known.has(spaceId));
    return unknown.length > 0 ? Promise.all(unknown.map((spaceId) => this.look(spaceId))) : undefined;
  }

  forget(spaceId: string): void {
    const known = this.known.get(spaceId);
    if (known) known.freshUntil = -Infinity;
    // What was asked before may be of before the change.
    this.asking.delete(spaceId);
  }

  doubtAll(): void {
    this.asking.clear();
    for (const known of this.known.values()) known.freshUntil = -Infinity;
  }

  private look(spaceId: string): Promise<void> {
    if (!this.ask) return Promise.resolve();
    const shared = this.asking.get(spaceId);
    if (shared) return shared;
    const keep = (payer: string, forMs: number): void => {
      if (this.asking.get(spaceId) === looking)
        this.known.set(spaceId, { payer, freshUntil: performance.now() + forMs });
    };
    const looking: Promise<void> = this.ask(spaceId)
      .then(
        (payer) => {
          keep(payer, FRESH_MS);
        },
        () => {
          keep(this.known.get(spaceId)?.payer ?? spaceId, ASK_AGAIN_MS);
        },
      )
      .finally(() => {
        if (this.asking.get(spaceId) === looking) this.asking.delete(spaceId);
      });
    this.asking.set(spaceId, looking);
    return looking;
  }
}
