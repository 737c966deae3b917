import { requireSpace } from '@switchyard/contracts';
import { newId } from '@switchyard/kernel';
import { until } from '@switchyard/testing';
import { vectorTableOf } from '../src/db/pgvector-tables.repository';
import { contextOf, type VectorHits, type VectorQuery, VectorStage } from './vector-stage';

const WORDS = 'signal railway yard switch train freight platform ticket bridge tunnel station express market'.split(
  ' ',
);
const word = (n: number): string => WORDS[Math.floor((Math.sin(n * 12.9898) * 43758.5453) ** 2) % WORDS.length]!;
const textOf = (n: number): string => Array.from({ length: 6 }, (_, k) => word(n * 7 + k)).join(' ') + ` no ${n}`;

const RECORDS = 400;
const PATIENCE = { timeoutMs: 90_000 };
const QUESTIONS: VectorQuery[] = [
  ...Array.from({ length: 12 }, (_, n) => ({ query: textOf(1000 + n) })),
  { query: textOf(5), topK: 50 },
  { query: textOf(7), filter: { n: { gte: 100 } } },
  { query: textOf(7), filter: { kind: 'rare' } },
  { query: textOf(7), filter: { or: [{ kind: 'rare' }, { n: { lt: 20 } }] }, topK: 15 },
  { query: textOf(7), filter: { kind: 'none' } },
  { query: textOf(7), filter: { not: { kind: 'rare' } }, topK: 100 },
];

/** The same records, but for those that are equally near at the end; and the same scores. */
function expectAlike(ours: VectorHits | null, theirs: VectorHits): void {
  expect(ours?.length).toBe(theirs.length);
  ours?.forEach((hit, index) => {
    expect(hit.score).toBeCloseTo(theirs[index]!.score, 4);
  });
  const worst = theirs.at(-1)?.score ?? 0;
  const clear = theirs.filter((hit) => hit.score > worst + 1e-4).map((hit) => hit.id);
  expect(new Set(ours?.map((hit) => hit.id))).toEqual(expect.objectContaining({ size: theirs.length }));
  for (const id of clear) expect(ours?.some((hit) => hit.id === id)).toBe(true);
}

describe('vectors in pgvector', () => {
  let stage: VectorStage;
  let datasetId: string;
  let ids: string[];

  beforeAll(async () => {
    stage = await VectorStage.open();
    datasetId = await newDataset();
    ids = await insert(Array.from({ length: RECORDS }, (_, n) => record(n)));
    stage.start();
    await until(async () => (await stage.inTables(datasetId, { query: 'x' })) !== null, PATIENCE);
    await embedded();
  });

  afterAll(() => stage.close());

  const record = (n: number) => ({ text: textOf(n), n, kind: n % 80 === 3 ? 'rare' : 'common' });
  const newDataset = async (): Promise<string> => {
    const fields = [
      { name: 'text', type: 'text' as const, vector: true },
      { name: 'n', type: 'integer' as const, indexed: true },
      { name: 'kind', type: 'string' as const, indexed: true },
    ];
    return (await stage.datasets.create(stage.ctx, { name: 'Near', schema: { fields } })).id;
  };
  const insert = async (records: Record<string, string | number>[]): Promise<string[]> =>
    (await stage.records.insert(stage.ctx, { datasetId, records })).ids;
  const pending = async (): Promise<number> => {
    const rows = await stage.database.transaction(stage.ctx, (tx) =>
      tx.query(`select 1 from record_vectors where space_id = $1 and state = 'PENDING'`, [requireSpace(stage.ctx)]),
    );
    return rows.length;
  };
  const embedded = () => until(async () => (await pending()) === 0, PATIENCE);

  it('finds what the search in memory finds, with the same scores, filtered or not', async () => {
    for (const question of QUESTIONS)
      expectAlike(await stage.inTables(datasetId, question), await stage.inMemory(datasetId, question));
  });

  it('finds it by the graph as well, also past a filter', async () => {
    await stage.pglite.say('set enable_seqscan = off; set enable_sort = off; set enable_bitmapscan = off');
    try {
      const plan = await stage.database.transaction(stage.ctx, (tx) =>
        tx.query<Record<string, string>>(
          `explain select record_id from ${vectorTableOf(datasetId, 1)}
           order by embedding <=> array_fill(0.1, array[384])::vector limit 10`,
        ),
      );
      expect(JSON.stringify(plan)).toContain('_near');
      let same = 0;
      let all = 0;
      for (const question of QUESTIONS) {
        const exact = await stage.inMemory(datasetId, question);
        const near = (await stage.inTables(datasetId, question)) ?? [];
        expect(near).toHaveLength(exact.length);
        const worst = exact.at(-1)?.score ?? 0;
        same += near.filter((hit) => hit.score >= worst - 1e-4).length;
        all += exact.length;
      }
      expect(same / all).toBeGreaterThanOrEqual(0.95);
    } finally {
      await stage.pglite.say('reset enable_seqscan; reset enable_sort; reset enable_bitmapscan');
    }
  });

  it('misses no match of a filter when the walk along the graph has to end before it met them', async () => {
    const wide = await newDataset();
    const far = ['penguins of the antarctic', 'a recipe for plum cake', 'the rules of chess'];
    const texts = [...far, ...Array.from({ length: 900 }, (_, n) => textOf(n))];
    for (let from = 0; from < texts.length; from += 500) {
      const part = texts.slice(from, from + 500);
      const records = part.map((text, n) => ({ text, n, kind: far.includes(text) ? 'rare' : 'common' }));
      await stage.records.insert(stage.ctx, { datasetId: wide, records });
    }
    await until(async () => (await stage.inTables(wide, { query: 'x' })) !== null, PATIENCE);
    await embedded();
    const question = { query: textOf(7), filter: { kind: 'rare' }, topK: 3 };
    const exact = await stage.inMemory(wide, question);
    expect(exact).toHaveLength(far.length);
    // With so little memory a walk ends after its first candidates, as it does in a large graph after the last allowed.
    await stage.pglite.say('set enable_seqscan = off; set enable_sort = off; set enable_bitmapscan = off');
    await stage.pglite.say('set work_mem = 64');
    try {
      expectAlike(await stage.inTables(wide, question), exact);
    } finally {
      await stage.pglite.say('reset enable_seqscan; reset enable_sort; reset enable_bitmapscan; reset work_mem');
      await stage.datasets.delete(stage.ctx, wide);
    }
  });

  it('follows updates, cleared texts and deletes at once', async () => {
    const query = textOf(9);
    await stage.records.update(stage.ctx, { datasetId, ids: [ids[9]!], set: { text: 'penguins of the antarctic' } });
    await embedded();
    expect((await stage.inTables(datasetId, { query: 'penguins of the antarctic' }))?.[0]).toEqual({
      id: ids[9],
      score: expect.closeTo(1, 4),
    });
    expect((await stage.inTables(datasetId, { query, topK: 100 }))?.[0]?.score).toBeLessThan(0.999);
    await stage.records.update(stage.ctx, { datasetId, ids: [ids[10]!], set: { text: null } });
    await stage.records.delete(stage.ctx, { datasetId, ids: [ids[11]!] });
    for (const removed of [10, 11]) {
      const hits = await stage.inTables(datasetId, { query: textOf(removed), topK: 100 });
      expect(hits?.some((hit) => hit.id === ids[removed])).toBe(false);
    }
    expect(await rowsInTable()).toBe(RECORDS - 2);
  });

  it('shows another Space nothing, and makes no table there', async () => {
    const stranger = contextOf(newId());
    const seen = await stage.database.transaction(stranger, (tx) =>
      tx.query(`select 1 from ${vectorTableOf(datasetId, 1)}`),
    );
    expect(seen).toEqual([]);
    await expect(
      stage.database.transaction(stranger, (tx) =>
        tx.run('select make_vector_table($1, 1::smallint, 384)', [datasetId]),
      ),
    ).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const bare = await stage.database.transaction(stranger, (tx) =>
      tx.query(
        `select relname from pg_class where relname like 'dv\\_%' and relkind = 'r' and not relforcerowsecurity`,
      ),
    );
    expect(bare).toEqual([]);
  });

  it('goes on in memory when the extension is dropped, and fills its tables again when it is back', async () => {
    const question = { query: textOf(20), filter: { n: { gte: 10 } } };
    const before = await stage.inMemory(datasetId, question);
    await stage.pglite.say(
      'set session authorization postgres; drop extension vector cascade; set session authorization postgres_dataset',
    );
    expect(await stage.inTables(datasetId, question)).toBeNull();
    expectAlike(await stage.inMemory(datasetId, question), before);
    stage.tables.lookAgain();
    await until(async () => (await stage.inTables(datasetId, question)) !== null, PATIENCE);
    expectAlike(await stage.inTables(datasetId, question), before);
    expect(await rowsInTable()).toBe(RECORDS - 2);
  });

  it('drops the tables of a dataset with it', async () => {
    await stage.datasets.delete(stage.ctx, datasetId);
    const remaining = await stage.database.transaction(stage.ctx, (tx) =>
      tx.query(`select 1 from pg_class where relname = $1`, [vectorTableOf(datasetId, 1)]),
    );
    expect(remaining).toEqual([]);
  });

  const rowsInTable = async (): Promise<number> =>
    (await stage.database.transaction(stage.ctx, (tx) => tx.query(`select 1 from ${vectorTableOf(datasetId, 1)}`)))
      .length;
});
