import { VectorIndex } from './vector-index';

const DIMENSIONS = 32;

/** Clusters with noise, the same in every run. */
function vectorOf(n: number): Float32Array {
  const random = (k: number): number => (Math.sin(n * 12.9898 + k * 78.233) * 43758.5453) % 1;
  return Float32Array.from({ length: DIMENSIONS }, (_, k) => Math.sin((n % 40) * (k + 1)) + 0.4 * random(k));
}

const filled = (count: number): VectorIndex => {
  const index = new VectorIndex(DIMENSIONS);
  for (let n = 0; n < count; n += 1) index.put(String(n), 1, vectorOf(n));
  return index;
};

const exact = (index: VectorIndex, query: Float32Array, count: number): string[] =>
  index
    .searchAmong(
      query,
      Array.from({ length: 10_000 }, (_, n) => String(n)),
      count,
    )
    .map((hit) => hit.id);

describe('a vector index', () => {
  it('finds the same vector with score 1, before and after it is in the graph', () => {
    const index = filled(3000);
    for (const grown of [false, true]) {
      if (grown) while (index.grow(500));
      const [best] = index.search(vectorOf(1234), 5);
      expect([best!.id, best!.score.toFixed(5)]).toEqual(['1234', '1.00000']);
    }
  });

  it('agrees with the exact scan on nearly all of the best ten', () => {
    const index = filled(4000);
    while (index.grow(500));
    let same = 0;
    for (let n = 0; n < 50; n += 1) {
      const query = vectorOf(10_000 + n);
      const truth = new Set(exact(index, query, 10));
      same += index.search(query, 10).filter((hit) => truth.has(hit.id)).length;
    }
    expect(same / 500).toBeGreaterThanOrEqual(0.95);
  });

  it('finds what was added after the graph, forgets what was removed and replaces what changed', () => {
    const index = filled(2500);
    while (index.grow(500));
    index.put('new', 1, vectorOf(77_777));
    expect(index.search(vectorOf(77_777), 1)[0]!.id).toBe('new');
    index.remove('new');
    expect(index.search(vectorOf(77_777), 1)[0]!.id).not.toBe('new');
    index.put('5', 2, vectorOf(88_888));
    expect(index.search(vectorOf(88_888), 1)[0]!.id).toBe('5');
    expect(index.size).toBe(2500);
  });

  it('ignores a revision that it has', () => {
    const index = filled(10);
    index.put('1', 1, vectorOf(999));
    expect(index.search(vectorOf(1), 1)[0]!.id).toBe('1');
  });

  it('gets rid of remains', () => {
    const index = filled(100);
    for (let n = 0; n < 50; n += 1) index.remove(String(n));
    expect(index.waste).toBe(0.5);
    expect(index.compact(60)).toBeNull();
    index.put('new', 1, vectorOf(4321));
    index.remove('55');
    const fresh = index.compact(60)!;
    expect([fresh.size, fresh.waste.toFixed(3)]).toEqual([50, '0.020']);
    expect(fresh.search(vectorOf(4321), 1)[0]!.id).toBe('new');
    expect(fresh.search(vectorOf(70), 1)[0]!.id).toBe('70');
  });
});
