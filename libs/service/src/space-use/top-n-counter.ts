/**
 * Counts of many, of which only the largest are asked for. When there are twice as many as are kept, the smaller half
 * is forgotten: what is small for a while and large later may be counted too low, what is large is counted exactly.
 */
export class TopNCounter {
  private counts = new Map<string, number>();

  constructor(private readonly most: number) {}

  get size(): number {
    return this.counts.size;
  }

  add(name: string, amount: number): void {
    const before = this.counts.get(name);
    if (before === undefined && this.counts.size >= 2 * this.most) this.counts = new Map(this.top(this.most));
    this.counts.set(name, (before ?? 0) + amount);
  }

  /** The largest first. */
  top(most: number): [name: string, count: number][] {
    return [...this.counts].sort(([, a], [, b]) => b - a).slice(0, most);
  }
}
