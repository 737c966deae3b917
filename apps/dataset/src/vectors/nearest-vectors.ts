export interface Scored {
  id: string;
  score: number;
}

/** A search that ends in many short steps, so that others get their turn in between. */
export type Steps = Generator<undefined, Scored[]>;

/** All steps at once. */
export function finished(steps: Steps): Scored[] {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

export function unit(vector: Float32Array): Float32Array {
  const length = Math.sqrt(dot(vector, 0, vector));
  return length === 0 ? vector : vector.map((value) => value / length);
}

/** Four sums at once: twice as fast as one, because they do not wait for each other. */
export function dot(slab: Float32Array, start: number, target: Float32Array): number {
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  const length = target.length;
  let i = 0;
  for (; i + 3 < length; i += 4) {
    a += (slab[start + i] as number) * (target[i] as number);
    b += (slab[start + i + 1] as number) * (target[i + 1] as number);
    c += (slab[start + i + 2] as number) * (target[i + 2] as number);
    d += (slab[start + i + 3] as number) * (target[i + 3] as number);
  }
  for (; i < length; i += 1) a += (slab[start + i] as number) * (target[i] as number);
  return a + b + c + d;
}

/** The nearest of a page of vectors that no index holds: the i-th begins at `i * query.length`. */
export function nearestOf(ids: readonly string[], vectors: Float32Array, query: Float32Array, count: number): Scored[] {
  const target = unit(query);
  const best = new Best(count);
  ids.forEach((id, i) => {
    const vector = vectors.subarray(i * target.length, (i + 1) * target.length);
    best.offer(id, dot(unit(vector), 0, target));
  });
  return best.sorted();
}

/** The best `count` of what is offered. */
export class Best {
  private readonly kept: Scored[] = [];
  private worst = -Infinity;

  constructor(private readonly count: number) {}

  offer(id: string, score: number): void {
    if (this.kept.length >= this.count && score <= this.worst) return;
    this.kept.push({ id, score });
    if (this.kept.length >= 2 * this.count + 16) this.cut();
  }

  offerAll(scored: readonly Scored[]): void {
    for (const { id, score } of scored) this.offer(id, score);
  }

  sorted(): Scored[] {
    this.cut();
    return this.kept;
  }

  private cut(): void {
    this.kept.sort((left, right) => right.score - left.score || (left.id < right.id ? 1 : -1));
    this.kept.length = Math.min(this.kept.length, this.count);
    if (this.kept.length === this.count) this.worst = this.kept.at(-1)?.score ?? -Infinity;
  }
}
