import type { AppError } from '@switchyard/kernel';

interface Bound {
  most: number;
  refusal: () => AppError;
}

/** Places that are counted, each for several owners at once: a credential, its Space, the process. Nobody waits for one. */
export class CountedPlaces {
  private readonly counts: readonly (Bound & { taken: Map<string, number> })[];

  /** One bound for each kind of owner, in the order in which `take` names them. */
  constructor(...bounds: readonly Bound[]) {
    this.counts = bounds.map((bound) => ({ ...bound, taken: new Map() }));
  }

  /** Takes a place, or refuses; the returned function gives it back, once. */
  take(...owners: readonly string[]): () => void {
    const held = this.counts.map((count, at) => ({ ...count, owner: owners[at] ?? '' }));
    for (const { taken, owner, most, refusal } of held) if ((taken.get(owner) ?? 0) >= most) throw refusal();
    for (const { taken, owner } of held) taken.set(owner, (taken.get(owner) ?? 0) + 1);
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      for (const { taken, owner } of held) {
        const left = (taken.get(owner) ?? 1) - 1;
        if (left > 0) taken.set(owner, left);
        else taken.delete(owner);
      }
    };
  }
}
