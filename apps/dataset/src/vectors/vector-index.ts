import { Index, MetricKind, ScalarKind } from 'usearch';
import { Best, dot, finished, type Scored, type Steps, unit } from './nearest-vectors';

const SLAB = 256;
/** Under this size a scan is as fast as the graph, and exact. */
const GRAPH_FROM = 2000;
/** Vectors that a search compares in one step: a few milliseconds. */
const STEP = 4096;
/** Memory overhead of a vector: graph neighbours, id, slot and revision. */
const LINKS_BYTES = 200;
const ENTRY_BYTES = 150;

/**
 * Vectors of one field, in memory. New vectors are found immediately: those not in the graph yet are scanned. Graph
 * results are rescored with the full vectors, so scores are exact and only the selection is approximate.
 */
export class VectorIndex {
  private readonly slabs: Float32Array[] = [];
  private readonly ids: (string | null)[] = [];
  private readonly slots = new Map<string, number>();
  private readonly revisions = new Map<string, number>();
  private graph: Index | null = null;
  private inGraph = 0;
  private successor: { index: VectorIndex; copied: number } | null = null;

  constructor(readonly dimensions: number) {}

  get size(): number {
    return this.slots.size;
  }

  /** Memory with all vectors in the graph, so that it does not grow beyond its reservation. */
  get bytes(): number {
    const count = this.ids.length;
    const graph = count < GRAPH_FROM ? 0 : count * (this.dimensions * 2 + LINKS_BYTES);
    const own = this.slabs.length * SLAB * this.dimensions * 4 + graph + count * ENTRY_BYTES;
    return own + (this.successor?.index.bytes ?? 0);
  }

  /** How much of it is only the remains of replaced and deleted vectors. */
  get waste(): number {
    return this.ids.length === 0 ? 0 : 1 - this.slots.size / this.ids.length;
  }

  put(id: string, revision: number, vector: Float32Array): void {
    this.successor?.index.put(id, revision, vector);
    if (this.revisions.get(id) === revision) return;
    this.forget(id);
    const slot = this.ids.length;
    if (slot % SLAB === 0) this.slabs.push(new Float32Array(SLAB * this.dimensions));
    this.at(slot).set(unit(vector));
    this.ids.push(id);
    this.slots.set(id, slot);
    this.revisions.set(id, revision);
  }

  remove(id: string): void {
    this.successor?.index.remove(id);
    this.forget(id);
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
    return finished(this.searching(query, count));
  }

  *searching(query: Float32Array, count: number): Steps {
    const target = unit(query);
    const best = new Best(count);
    const scanFrom = this.inGraph;
    if (this.graph !== null && this.inGraph > 0) {
      const spare = Math.ceil(count * (1 + 2 * this.waste)) + 32;
      const matches = this.graph.search(target, Math.min(spare, this.inGraph), 1);
      for (const key of matches.keys) this.offer(best, Number(key), target);
    }
    for (let slot = scanFrom; slot < this.ids.length; slot += 1) {
      this.offer(best, slot, target);
      if ((slot - scanFrom) % STEP === STEP - 1) yield;
    }
    return best.sorted();
  }

  /** Exact, among the given records only. */
  searchAmong(query: Float32Array, ids: readonly string[], count: number): Scored[] {
    return finished(this.searchingAmong(query, ids, count));
  }

  *searchingAmong(query: Float32Array, ids: readonly string[], count: number): Steps {
    const target = unit(query);
    const best = new Best(count);
    for (const [n, id] of ids.entries()) {
      const slot = this.slots.get(id);
      if (slot !== undefined) this.offer(best, slot, target);
      if (n % STEP === STEP - 1) yield;
    }
    return best.sorted();
  }

  /**
   * Copies up to `most` slots into a compact index, and returns it when complete. Meanwhile both indexes get all
   * changes.
   */
  compact(most: number): VectorIndex | null {
    this.successor ??= { index: new VectorIndex(this.dimensions), copied: 0 };
    const { index, copied } = this.successor;
    const until = Math.min(this.ids.length, copied + most);
    for (let slot = copied; slot < until; slot += 1) {
      const id = this.ids[slot];
      if (id !== null && id !== undefined) index.put(id, this.revisions.get(id) ?? 0, this.at(slot));
    }
    this.successor.copied = until;
    if (until < this.ids.length) return null;
    this.successor = null;
    return index;
  }

  private forget(id: string): void {
    const slot = this.slots.get(id);
    if (slot === undefined) return;
    this.ids[slot] = null;
    this.slots.delete(id);
    this.revisions.delete(id);
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
