import { type Ctx } from '@switchyard/contracts';
import { newId } from '@switchyard/kernel';
import { until } from '@switchyard/testing';
import { embed } from '../../../tools/simulator';
import { DatabaseVectorScan } from '../src/vectors/database-vector-scan';
import type { VectorIndexLoader } from '../src/vectors/vector-index-loader';
import { contextOf, VectorStage } from './vector-stage';

const RECORDS = 300;
/** Room for the vectors of one dataset, not of two. */
const ONE = 1;
/** Room for the vectors of two datasets, not of three. */
const TWO = 2;
const FIELD = 1;
const PATIENCE = { timeoutMs: 90_000 };
const textOf = (n: number): string => `the freight train number ${n} leaves platform ${n % 17}`;

describe('the memory for vectors', () => {
  let stage: VectorStage;
  let mine: string;
  let mineToo: string;
  let theirs: string;
  let other: Ctx;
  const open: VectorIndexLoader[] = [];

  const indexesOf = (megabytes: number): VectorIndexLoader => {
    const indexes = stage.indexesOf(megabytes);
    open.push(indexes);
    return indexes;
  };
  const filled = async (ctx: Ctx): Promise<string> => {
    const fields = [{ name: 'text', type: 'text' as const, vector: true }];
    const { id } = await stage.datasets.create(ctx, { name: 'Near', schema: { fields } });
    const records = Array.from({ length: RECORDS }, (_, n) => ({ text: textOf(n) }));
    // One connection for all: an insert may have to come back for it.
    await until(() => stage.records.insert(ctx, { datasetId: id, records }), PATIENCE);
    await until(
      async () =>
        (
          await stage.database.transaction(ctx, (tx) =>
            tx.query(`select 1 from record_vectors where dataset_id = $1 and state = 'PENDING' limit 1`, [id]),
          )
        ).length === 0,
      PATIENCE,
    );
    return id;
  };
  const best = (indexes: VectorIndexLoader, ctx: Ctx, datasetId: string) =>
    indexes.open(ctx, datasetId).then(async (vectors) => {
      const hits = await vectors.nearest(FIELD, embed(textOf(7)), 10);
      vectors.release();
      return { isScan: vectors instanceof DatabaseVectorScan, hits };
    });

  beforeAll(async () => {
    stage = await VectorStage.open();
    stage.start();
    other = contextOf(newId());
    mine = await filled(stage.ctx);
    mineToo = await filled(stage.ctx);
    theirs = await filled(other);
  }, 300_000);

  afterAll(async () => {
    for (const indexes of open) await indexes.onApplicationShutdown();
    await stage.close();
  });

  it('makes room by the dataset that is not in use', async () => {
    const indexes = indexesOf(ONE);
    for (const [ctx, id] of [
      [stage.ctx, mine],
      [other, theirs],
      [stage.ctx, mine],
    ] as const) {
      const found = await best(indexes, ctx, id);
      expect([found.isScan, found.hits.length, found.hits[0]!.score > 0.999]).toEqual([false, 10, true]);
    }
  });

  it('keeps the vectors that a search uses while others need room', async () => {
    const indexes = indexesOf(ONE);
    const vectors = await indexes.open(stage.ctx, mine);
    expect((await best(indexes, other, theirs)).isScan).toBe(true);
    expect(await vectors.nearest(FIELD, embed(textOf(7)), 10)).toHaveLength(10);
    vectors.release();
  });

  it('is given to a Space within its share by one that searches without a pause over its own', async () => {
    const indexes = indexesOf(TWO);
    // Each search of theirs begins before the last one has ended.
    const using = await Promise.all([indexes.open(stage.ctx, mine), indexes.open(stage.ctx, mineToo)]);
    const finding = best(indexes, other, theirs);
    const found = await until(async () => {
      using.push(await indexes.open(stage.ctx, mine), await indexes.open(stage.ctx, mineToo));
      for (const vectors of using.splice(0, 2)) {
        expect(await vectors.nearest(FIELD, embed(textOf(7)), 10)).toHaveLength(10);
        vectors.release();
      }
      return Promise.race([finding, new Promise<null>((resolve) => setTimeout(resolve, 20, null))]);
    }, PATIENCE);
    expect([found.isScan, found.hits.length]).toEqual([false, 10]);
    for (const vectors of using) vectors.release();
    expect((await best(indexes, other, theirs)).isScan).toBe(false);
  });

  it('finds by a scan what it finds in memory, among given records as well', async () => {
    const inMemory = await best(indexesOf(64), stage.ctx, mine);
    const tight = indexesOf(0.1);
    const scanned = await best(tight, stage.ctx, mine);
    expect([inMemory.isScan, scanned.isScan]).toEqual([false, true]);
    const shown = (hits: typeof scanned.hits) => hits.map((hit) => [hit.id, hit.score.toFixed(4)]);
    expect(shown(scanned.hits)).toEqual(shown(inMemory.hits));
    const some = inMemory.hits.slice(3).map((hit) => hit.id);
    const vectors = await tight.open(stage.ctx, mine);
    expect(shown(await vectors.among(FIELD, embed(textOf(7)), some, 10))).toEqual(shown(inMemory.hits.slice(3)));
    vectors.release();
  });

  it('reads the vectors once for all searches that wait for them', async () => {
    const indexes = indexesOf(64);
    const opened = await Promise.all(Array.from({ length: 8 }, () => indexes.open(stage.ctx, mine)));
    expect(new Set(opened).size).toBe(1);
    const hits = await Promise.all(opened.map((vectors) => vectors.nearest(FIELD, embed(textOf(7)), 10)));
    for (const found of hits) expect(found).toEqual(hits[0]);
    for (const vectors of opened) vectors.release();
  });
});
