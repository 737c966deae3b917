import { median } from '../measure';
import type { Measured } from '../row';
import { batchOf, createBenchDataset, type DatasetBench, openDatasetBench } from './datasets-setup';

const SIZES = [10_000, 100_000, 1_000_000];
const TIMES = 400;
/** By then the code on the way is compiled. */
const WARM_UP = 1_000;
const BATCH = 1000;
/** Few: they make the small dataset grow by more than the large ones. */
const INSERTS = 4;
const INSERT = 'insert of 1,000';

type Ask = (turn: number) => Promise<unknown>;

/** Operations whose cost should not depend on the number of records. */
function questions({ ctx, queries, texts }: DatasetBench, datasetId: string, rows: number, ids: string[]) {
  return new Map<string, Ask>([
    [
      'equality, page of 50',
      (t) =>
        queries.query(ctx, { datasetId, filter: { category: `category-${t % 50}` }, sort: [{ field: 'category' }] }),
    ],
    [
      'range and order, page of 50',
      (t) =>
        queries.query(ctx, {
          datasetId,
          filter: { price: { gte: t % 900, lt: (t % 900) + 50 } },
          sort: [{ field: 'price' }],
        }),
    ],
    ['newest 50', () => queries.query(ctx, { datasetId })],
    ['50 records by id', () => queries.query(ctx, { datasetId, ids })],
    ['exact count of all', () => queries.count(ctx, { datasetId })],
    ['full text, rare word, ranked', (t) => texts.search(ctx, { datasetId, query: `serial${(t * 37) % rows}` })],
  ]);
}

/**
 * The same work on a tenth and on a hundredth of the records, taking turns: what an operation costs as its dataset
 * grows.
 */
export async function growthRows(
  adminUrl: string,
  report: (line: string) => void,
  sizes: readonly number[] = SIZES,
): Promise<Measured[]> {
  const bench = await openDatasetBench(adminUrl);
  try {
    const datasets: Map<string, Ask>[] = [];
    for (const size of sizes) datasets.push(await filled(bench, size));
    await bench.pool.query('vacuum analyze');
    const rows: Measured[] = [];
    for (const what of datasets[0]?.keys() ?? []) {
      const [times, warmUp] = what === INSERT ? [INSERTS, 1] : [TIMES, WARM_UP];
      const costs = await takingTurns(
        times,
        warmUp,
        datasets.flatMap((asks) => asks.get(what) ?? []),
      );
      report(`${what}: ${sizes.map((size, at) => `${size} records ${(costs[at] ?? NaN).toFixed(2)} ms`).join(', ')}`);
      for (const [at, size] of sizes.entries())
        if (at > 0) rows.push(grown(what, costs[at] ?? NaN, costs[at - 1] ?? NaN, size));
    }
    return rows;
  } finally {
    await bench.close();
  }
}

/** A dataset of so many records, and what is asked of it. */
async function filled(bench: DatasetBench, size: number): Promise<Map<string, Ask>> {
  const datasetId = await createBenchDataset(bench);
  let there = 0;
  const insert = (): Promise<unknown> => {
    const records = batchOf(there, BATCH);
    there += BATCH;
    return bench.records.insert(bench.ctx, { datasetId, records });
  };
  while (there < size) await insert();
  const { items } = await bench.queries.query(bench.ctx, { datasetId, limit: 50 });
  const ids = items.map((item) => item['id'] as string);
  return questions(bench, datasetId, size, ids).set(INSERT, insert);
}

/** Median milliseconds of each. They take turns, and at being the first. */
async function takingTurns(times: number, warmUp: number, asks: readonly Ask[]): Promise<number[]> {
  const taken = asks.map((): number[] => []);
  for (let turn = 0; turn < times + warmUp; turn += 1)
    for (let index = 0; index < asks.length; index += 1) {
      const at = (turn + index) % asks.length;
      const from = performance.now();
      await asks[at]?.(turn);
      if (turn >= warmUp) taken[at]?.push(performance.now() - from);
    }
  return taken.map(median);
}

function grown(what: string, ours: number, theirs: number, size: number): Measured {
  const ratio = ours / theirs;
  return {
    what: `${what}, of ${size}`,
    beside: 'a tenth of the records',
    ours,
    theirs,
    unit: 'ms',
    ratio,
    target: '<= 1.3',
    met: ratio <= 1.3,
  };
}
