/** How much the first places stand out; the customary value of reciprocal-rank fusion. */
const FLATNESS = 60;

export interface Fused<T> {
  item: T;
  score: number;
}

/** Joins rankings whose scores cannot be compared: each place counts 1 / (60 + place). */
export function fuseRanks<T>(
  rankings: readonly (readonly T[])[],
  keyOf: (item: T) => string,
  most: number,
): Fused<T>[] {
  const fused = new Map<string, Fused<T>>();
  for (const ranking of rankings) {
    ranking.forEach((item, index) => {
      const gained = 1 / (FLATNESS + index + 1);
      const existing = fused.get(keyOf(item));
      if (existing === undefined) fused.set(keyOf(item), { item, score: gained });
      else existing.score += gained;
    });
  }
  return [...fused.values()].sort((left, right) => right.score - left.score).slice(0, most);
}
