import { Index, MetricKind, ScalarKind } from 'usearch';

export interface Scored {
  id: string;
  score: number;
}

const SLAB = 4096;
/** Under this size a scan is as fast as the graph, and exact. */
const GRAPH_FROM = 2000;

/**
 * Vectors of one field, in memory. New ones are found at once: those that are not in the graph yet are scanned.
 * What the graph finds is scored again from the full vectors, so scores are exact and only the choice is approximate.
 */
export class VectorIndex {
  private readonly slabs: Float32Array[] = [];
  private readonly ids: (string | null)[] = [];
  private readonly slots = new Map<string, number>();
  private readonly revisions = new Map<string, number>();
  private graph: Index | null = null;
  private inGraph = 0;

  constructor(readonly dimensions: number) {}

  get size(): number {
    return this.slots.size;
  }

  get bytes(): number {
    return (
      this.slabs.length * SLAB * this.dimensions * 4 +
      this.inGraph * (this.dimensions * 2 + 200) +
      this.ids.length * 150
    );
  }

  /** How much of it is only the remains of replaced and deleted vectors. */
  get waste(): number {
    return this.ids.length === 0 ? 0 : 1 - this.slots.size / this.ids.length;
  }

  put(id: string, revision: number, vector: Float32Array): void {
    if (this.revisions.get(id) === revision) return;
    this.remove(id);
    const slot = this.ids.length;
    if (slot % SLAB === 0) this.slabs.push(new Float32Array(SLAB * this.dimensions));
    this.at(slot).set(unit(vector));
    this.ids.push(id);
    this.slots.set(id, slot);
    this.revisions.set(id, revision);
  }

  remove(id: string): void {
    const slot = this.slots.get(id);
    if (slot === undefined) return;
    this.ids[slot] = null;
    this.slots.delete(id);
    this.revisions.delete(id);
  }

  /** Takes up to `most` vectors into the graph; says whether more are left. */
  grow(most: number): boolean {
    if (this.ids.length < GRAPH_FROM) return false;
    this.graph ??= newGraph(this.dimensions);
    const until = Math.min(this.ids.length, this.inGraph + most);
    const count = until - this.inGraph;
    if (count === 0) return false;
    const keys = new BigUint64Array(count);
    const vectors = new Float32Array(count * this.dimensions);
    for (let i = 0; i < count; i += 1) {
      keys[i] = BigInt(this.inGraph + i);
      vectors.set(this.at(this.inGraph + i), i * this.dimensions);
    }
    this.graph.add(keys, vectors, 1);
    this.inGraph = until;
    return this.inGraph < this.ids.length;
  }

  search(query: Float32Array, count: number): Scored[] {
    const target = unit(query);
    const best = new Best(count);
    if (this.graph !== null && this.inGraph > 0) {
      const spare = Math.ceil(count * (1 + 2 * this.waste)) + 32;
      const matches = this.graph.search(target, Math.min(spare, this.inGraph), 1);
      for (const key of matches.keys) this.offer(best, Number(key), target);
    }
    for (let slot = this.inGraph; slot < this.ids.length; slot += 1) this.offer(best, slot, target);
    return best.sorted();
  }

  /** Exact, among the given records only. */
  searchAmong(query: Float32Array, ids: readonly string[], count: number): Scored[] {
    const target = unit(query);
    const best = new Best(count);
    for (const id of ids) {
      const slot = this.slots.get(id);
      if (slot !== undefined) this.offer(best, slot, target);
    }
    return best.sorted();
  }

  /** The same vectors without the remains. */
  compacted(): VectorIndex {
    const fresh = new VectorIndex(this.dimensions);
    for (const [id, slot] of this.slots) fresh.put(id, this.revisions.get(id) ?? 0, this.at(slot));
    return fresh;
  }

  private offer(best: Best, slot: number, target: Float32Array): void {
    const id = this.ids[slot];
    if (id === null || id === undefined) return;
    const slab = this.slabs[Math.floor(slot / SLAB)];
    if (slab !== undefined) best.offer(id, dot(slab, (slot % SLAB) * this.dimensions, target));
  }

  private at(slot: number): Float32Array {
    const start = (slot % SLAB) * this.dimensions;
    return (this.slabs[Math.floor(slot / SLAB)] ?? new Float32Array()).subarray(start, start + this.dimensions);
  }
}

const newGraph = (dimensions: number): Index =>
  new Index({
    metric: MetricKind.Cos,
    quantization: ScalarKind.F16,
    dimensions,
    connectivity: 16,
    expansion_add: 128,
    expansion_search: 96,
    multi: false,
  });

function unit(vector: Float32Array): Float32Array {
  const length = Math.sqrt(dot(vector, 0, vector));
  return length === 0 ? vector : vector.map((value) => value / length);
}

/** Four sums at once: twice as fast as one, because they do not wait for each other. */
function dot(slab: Float32Array, start: number, target: Float32Array): number {
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

/** The best `count` of what is offered. */
class Best {
  private readonly kept: Scored[] = [];
  private worst = -Infinity;

  constructor(private readonly count: number) {}

  offer(id: string, score: number): void {
    if (this.kept.length >= this.count && score <= this.worst) return;
    this.kept.push({ id, score });
    if (this.kept.length >= 2 * this.count + 16) this.cut();
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
