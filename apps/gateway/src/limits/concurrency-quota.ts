import type { AppError } from '@switchyard/kernel';

interface Bound {
  /** Whose places are counted, as the metrics call it. */
  name: string;
  most: number;
  refusal: () => AppError;
}

interface BoundUse {
  bound: string;
  /** The count of the owner with most. */
  used: number;
  limit: number;
  refused: number;
}

/**
 * Concurrency quotas, counted for several owners at once: credential, Space, process. Over the quota a request is
 * refused, not queued.
 */
export class ConcurrencyQuota {
  private readonly counts: readonly (Bound & { taken: Map<string, number>; refused: number })[];

  /** One bound for each kind of owner, in the order in which `take` names them. */
  constructor(...bounds: readonly Bound[]) {
    this.counts = bounds.map((bound) => ({ ...bound, taken: new Map(), refused: 0 }));
  }

  get usage(): BoundUse[] {
    return this.counts.map(({ name, most, taken, refused }) => {
      let used = 0;
      for (const count of taken.values()) used = Math.max(used, count);
      return { bound: name, used, limit: most, refused };
    });
  }

  /** Counts by owner of a kind. */
  usedBy(name: string): ReadonlyMap<string, number> {
    return this.counts.find((count) => count.name === name)?.taken ?? new Map<string, number>();
  }

  /** Takes a place, or refuses; the returned function gives it back, once. */
  take(...owners: readonly string[]): () => void {
    const entries = this.counts.map((count, at) => ({ count, taken: count.taken, owner: owners[at] ?? '' }));
    for (const { count, taken, owner } of entries)
      if ((taken.get(owner) ?? 0) >= count.most) {
        count.refused += 1;
        throw count.refusal();
      }
    for (const { taken, owner } of entries) taken.set(owner, (taken.get(owner) ?? 0) + 1);
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      for (const { taken, owner } of entries) {
        const remaining = (taken.get(owner) ?? 1) - 1;
        if (remaining > 0) taken.set(owner, remaining);
        else taken.delete(owner);
      }
    };
  }
}
