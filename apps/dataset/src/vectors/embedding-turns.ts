import { upToEntries } from '@switchyard/kernel';
import { LRUCache } from 'lru-cache';

/** The order of embedding: payers in turn, and the Spaces of a payer in turn among themselves. */
export class EmbeddingTurns {
  /** Of each payer, the Space that had its last turn. */
  private readonly last = new LRUCache<string, string>(upToEntries(10_000));

  /** One of these Spaces for each payer. They are in the order of their ids. */
  next(spaces: readonly string[], payerOf: (spaceId: string) => string): string[] {
    const byPayer = new Map<string, string[]>();
    for (const spaceId of spaces) {
      const payer = payerOf(spaceId);
      const own = byPayer.get(payer);
      if (own === undefined) byPayer.set(payer, [spaceId]);
      else own.push(spaceId);
    }
    return [...byPayer].flatMap(([payer, own]) => {
      const last = this.last.get(payer) ?? '';
      const next = own.find((spaceId) => spaceId > last) ?? own[0];
      if (next === undefined) return [];
      this.last.set(payer, next);
      return [next];
    });
  }
}
