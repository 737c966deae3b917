import { latencyUs } from '../measure';
import type { Measured } from '../row';
import { batchOf, createBenchDataset, type DatasetBench, openDatasetBench } from './datasets-setup';

const SIZES = [10_000, 100_000, 1_000_000];
const TIMES = 200;
const BATCH = 1000;
const INSERTS = 10;

type Ask = (turn: number) => Promise<unknown>;

/** What should cost the same however many records there are. */
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

/** The same work on ten and on a hundred times the records: what an operation costs beside what it cost before. */
export async function growthRows(
  adminUrl: string,
  report: (line: string) => void,
  sizes: readonly number[] = SIZES,
): Promise<Measured[]> {
  const bench = await openDatasetBench(adminUrl);
  const rows: Measured[] = [];
  try {
    const datasetId = await createBenchDataset(bench);
    let before = new Map<string, number>();
    let there = 0;
    for (const [step, size] of sizes.entries()) {
      for (; there < size; there += BATCH)
        await bench.records.insert(bench.ctx, { datasetId, records: batchOf(there, BATCH) });
      await bench.pool.query('vacuum analyze');
      const now = await costs(bench, datasetId, size);
      there += BATCH * INSERTS;
      report(`${size} records: ${[...now].map(([what, us]) => `${what} ${(us / 1000).toFixed(2)} ms`).join(', ')}`);
      const smaller = before;
      if (step > 0) for (const [what, us] of now) rows.push(grown(what, us, smaller.get(what) ?? NaN, size));
      before = now;
    }
  } finally {
    await bench.close();
  }
  return rows;
}

async function costs(bench: DatasetBench, datasetId: string, size: number): Promise<Map<string, number>> {
  const { items } = await bench.queries.query(bench.ctx, { datasetId, limit: 50 });
  const ids = items.map((item) => item['id'] as string);
  const found = new Map<string, number>();
  for (const [what, ask] of questions(bench, datasetId, size, ids)) {
    let turn = 0;
    const next = (): Promise<unknown> => ask(turn++);
    await latencyUs(20, next);
    found.set(what, await latencyUs(TIMES, next));
  }
  let from = size;
  const insert = (): Promise<unknown> => {
    const records = batchOf(from, BATCH);
    from += BATCH;
    return bench.records.insert(bench.ctx, { datasetId, records });
  };
  found.set('insert of 1,000', await latencyUs(INSERTS, insert));
  return found;
}

function grown(what: string, ours: number, theirs: number, size: number): Measured {
  const ratio = ours / theirs;
  return {
    what: `${what}, of ${size}`,
    beside: 'a tenth of the records',
    ours: ours / 1000,
    theirs: theirs / 1000,
    unit: 'ms',
    ratio,
    target: '<= 1.3',
    met: ratio <= 1.3,
  };
}
