import type { AppError } from '@switchyard/kernel';

interface Bound {
  most: number;
  refusal: () => AppError;
}

/** Places that are counted: so many of one owner, and so many in all. Nobody waits for one. */
export class CountedPlaces {
  private readonly taken = new Map<string, number>();
  private all = 0;

  constructor(private readonly bounds: { each: Bound; all?: Bound }) {}

  /** Takes a place, or refuses; the returned function gives it back, once. */
  take(owner: string): () => void {
    const { each, all } = this.bounds;
    const count = this.taken.get(owner) ?? 0;
    if (count >= each.most) throw each.refusal();
    if (all && this.all >= all.most) throw all.refusal();
    this.taken.set(owner, count + 1);
    this.all += 1;
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      this.all -= 1;
      const left = (this.taken.get(owner) ?? 1) - 1;
      if (left > 0) this.taken.set(owner, left);
      else this.taken.delete(owner);
    };
  }
}
