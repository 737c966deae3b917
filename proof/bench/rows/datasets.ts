import {
  batchOf,
  createBenchDataset,
  createByHand,
  type DatasetBench,
  insertByHand,
  openDatasetBench,
} from './datasets-setup';

export interface MeasuredRow {
  what: string;
  beside: string;
  ours: number;
  theirs: number;
  unit: 'ms' | 'rows/s';
  ratio: number;
  target: string;
  met: boolean;
}

type Side = () => Promise<unknown>;

const median = (values: number[]): number => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;

async function timed(side: Side): Promise<number> {
  const start = process.hrtime.bigint();
  await side();
  return Number(process.hrtime.bigint() - start) / 1e6;
}

/**
 * Both sides take turns, so that a slow moment of the machine hits both; medians are compared. Code that has not run a
 * thousand times or so is slow on either side: warm up first.
 */
export async function duel(
  ours: Side,
  theirs: Side,
  turns: number,
  warmUp = 20,
): Promise<{ ours: number; theirs: number }> {
  const mine: number[] = [];
  const other: number[] = [];
  for (let turn = 0; turn < turns + warmUp; turn += 1) {
    const first = await timed(turn % 2 === 0 ? ours : theirs);
    const second = await timed(turn % 2 === 0 ? theirs : ours);
    if (turn < warmUp) continue;
    (turn % 2 === 0 ? mine : other).push(first);
    (turn % 2 === 0 ? other : mine).push(second);
  }
  return { ours: median(mine), theirs: median(other) };
}

interface ComparedQuery {
  what: string;
  turns: number;
  ours: (turn: number) => Promise<unknown>;
  theirs: (turn: number) => Promise<unknown>;
}

const LATENCY_TARGET = 1.5;
/** Warm-up turns for each measured turn. */
const WARM_UP = 5;

function questions(bench: DatasetBench, datasetId: string, rows: number): ComparedQuery[] {
  const { ctx, queries, texts, pool } = bench;
  const columns = 'id, created_at, updated_at, title, body, category, price, quantity, at';
  const ids: string[] = [];
  return [
    {
      what: 'equality, page of 50',
      turns: 300,
      ours: (t) =>
        queries.query(ctx, { datasetId, filter: { category: `category-${t % 50}` }, sort: [{ field: 'category' }] }),
      theirs: (t) =>
        pool.query(`select ${columns} from by_hand where category = $1 order by category, id limit 51`, [
          `category-${t % 50}`,
        ]),
    },
    {
      what: 'range and order, page of 50',
      turns: 300,
      ours: (t) =>
        queries.query(ctx, {
          datasetId,
          filter: { price: { gte: t % 900, lt: (t % 900) + 50 } },
          sort: [{ field: 'price' }],
        }),
      theirs: (t) =>
        pool.query(`select ${columns} from by_hand where price >= $1 and price < $2 order by price, id limit 51`, [
          t % 900,
          (t % 900) + 50,
        ]),
    },
    {
      what: 'newest 50',
      turns: 300,
      ours: () => queries.query(ctx, { datasetId }),
      theirs: () => pool.query(`select ${columns} from by_hand order by id desc limit 51`),
    },
    {
      what: '50 records by id',
      turns: 300,
      ours: async () => {
        if (ids.length === 0)
          ids.push(...(await queries.query(ctx, { datasetId, limit: 50 })).items.map((item) => item['id'] as string));
        return queries.query(ctx, { datasetId, ids });
      },
      theirs: () => pool.query(`select ${columns} from by_hand where id = any($1) order by id desc`, [handIds]),
    },
    {
      what: 'exact count of a quarter',
      turns: 30,
      ours: () => queries.count(ctx, { datasetId, filter: { quantity: { lt: 250 } } }),
      theirs: () => pool.query('select count(*) from by_hand where quantity < $1', [250]),
    },
    {
      what: 'exact count of all',
      turns: 30,
      ours: () => queries.count(ctx, { datasetId }),
      theirs: () => pool.query('select count(*) from by_hand'),
    },
    {
      what: 'full text, rare word, ranked',
      turns: 200,
      ours: (t) => texts.search(ctx, { datasetId, query: `serial${(t * 37) % rows}` }),
      theirs: (t) => byHandText(pool, columns, `serial${(t * 37) % rows}`),
    },
    {
      what: 'full text, common word, ranked',
      turns: 12,
      ours: () => texts.search(ctx, { datasetId, query: 'common' }),
      theirs: () => byHandText(pool, columns, 'common'),
    },
  ];
}

const handIds: string[] = [];

const byHandText = (pool: DatasetBench['pool'], columns: string, query: string): Promise<unknown> =>
  pool.query(
    `select ${columns}, ts_rank(words, q) as rank from by_hand, websearch_to_tsquery('english', $1) q
     where words @@ q order by rank desc, id desc limit 51`,
    [query],
  );

async function insertRow(bench: DatasetBench, datasetId: string, rows: number): Promise<MeasuredRow> {
  const mine: number[] = [];
  const other: number[] = [];
  for (let from = 0; from < rows; from += 1000) {
    const batch = batchOf(from, 1000);
    const ours = (): Promise<unknown> => bench.records.insert(bench.ctx, { datasetId, records: batch });
    const theirs = (): Promise<unknown> => insertByHand(bench.pool, 'by_hand', batch);
    const oursFirst = (from / 1000) % 2 === 0;
    const first = await timed(oursFirst ? ours : theirs);
    const second = await timed(oursFirst ? theirs : ours);
    mine.push(oursFirst ? first : second);
    other.push(oursFirst ? second : first);
  }
  const rate = (ms: number): number => 1_000_000 / ms;
  const ours = rate(median(mine));
  const theirs = rate(median(other));
  return {
    what: `insert, batches of 1,000, to ${rows} rows`,
    beside: 'multi-row insert, same indexes',
    ours,
    theirs,
    unit: 'rows/s',
    ratio: ours / theirs,
    target: '>= 0.6',
    met: ours / theirs >= 0.6,
  };
}

/** Insert, query, count and full text beside hand-written SQL on the same Postgres in the same run. */
export async function datasetRows(
  adminUrl: string,
  rows = 100_000,
  report: (row: MeasuredRow) => void = () => undefined,
): Promise<MeasuredRow[]> {
  const bench = await openDatasetBench(adminUrl);
  const found: MeasuredRow[] = [];
  const add = (row: MeasuredRow): void => {
    found.push(row);
    report(row);
  };
  try {
    const datasetId = await createBenchDataset(bench);
    await createByHand(bench.pool, 'by_hand');
    add(await insertRow(bench, datasetId, rows));
    await bench.pool.query('vacuum analyze');
    handIds.splice(
      0,
      handIds.length,
      ...(await bench.pool.query<{ id: string }>('select id from by_hand order by id desc limit 50')).rows.map(
        (row) => row.id,
      ),
    );
    for (const question of questions(bench, datasetId, rows)) {
      let turn = 0;
      let other = 0;
      const { ours, theirs } = await duel(
        () => question.ours(turn++),
        () => question.theirs(other++),
        question.turns,
        question.turns * WARM_UP,
      );
      const ratio = ours / theirs;
      add({
        what: question.what,
        beside: 'SQL by hand, same Postgres',
        ours,
        theirs,
        unit: 'ms',
        ratio,
        target: `<= ${LATENCY_TARGET}`,
        met: ratio <= LATENCY_TARGET,
      });
    }
  } finally {
    await bench.close();
  }
  return found;
}
