import type { Worker } from 'node:worker_threads';
import { until } from '@switchyard/testing';
import { embed } from '../../../tools/simulator';
import { IndexThreadClient } from '../src/vectors/index-thread-client';
import { BUILT_THREAD, VectorStage } from './vector-stage';

const RECORDS = 40;
const FIELD = 1;
const PATIENCE = { timeoutMs: 90_000 };
const textOf = (n: number): string => `the freight train number ${n} leaves platform ${n % 17}`;
const threadOf = (host: IndexThreadClient): Worker => Reflect.get(host, 'thread') as Worker;
const compare = (spaceId: string) => ({
  kind: 'compare' as const,
  spaceId,
  index: 'none',
  ids: ['a'],
  vectors: new Float32Array(embed(textOf(1))),
  query: embed(textOf(1)),
  count: 1,
});

describe('the thread of the vectors', () => {
  let stage: VectorStage;
  let datasetId: string;
  const hosts: IndexThreadClient[] = [];

  const newHost = (): IndexThreadClient => {
    const host = new IndexThreadClient(BUILT_THREAD);
    hosts.push(host);
    return host;
  };
  const write = async (texts: string[]): Promise<void> => {
    await until(
      () => stage.records.insert(stage.ctx, { datasetId, records: texts.map((text) => ({ text })) }),
      PATIENCE,
    );
    await until(async () => {
      const pending = await stage.database.transaction(stage.ctx, (tx) =>
        tx.query(`select 1 from record_vectors where dataset_id = $1 and state = 'PENDING' limit 1`, [datasetId]),
      );
      return pending.length === 0;
    }, PATIENCE);
  };

  beforeAll(async () => {
    stage = await VectorStage.open();
    stage.start();
    const fields = [{ name: 'text', type: 'text' as const, vector: true }];
    datasetId = (await stage.datasets.create(stage.ctx, { name: 'Thread', schema: { fields } })).id;
    await write(Array.from({ length: RECORDS }, (_, n) => textOf(n)));
  }, 180_000);
  afterAll(async () => {
    for (const host of hosts) await host.stop();
    await stage.close();
  });

  it('is not taken for its predecessor: what that had is read again before the next search answers', async () => {
    const host = newHost();
    const indexes = stage.indexesOf(64, host);
    const before = await indexes.open(stage.ctx, datasetId);
    expect(await before.nearest(FIELD, embed(textOf(7)), 10)).toHaveLength(10);
    await threadOf(host).terminate();
    // With this, the successor has some of the vectors, and would answer from them.
    await write(['a text that was written after the loss']);
    const after = await indexes.open(stage.ctx, datasetId);
    expect(await after.nearest(FIELD, embed(textOf(7)), 10)).toHaveLength(10);
    after.release();
    before.release();
  });

  it('answers no search that began with its predecessor', async () => {
    const host = newHost();
    const indexes = stage.indexesOf(64, host);
    const before = await indexes.open(stage.ctx, datasetId);
    await threadOf(host).terminate();
    host.started();
    await expect(before.nearest(FIELD, embed(textOf(7)), 10)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    before.release();
  });

  it('keeps the questions that it was asked before the end of its predecessor was told', async () => {
    const host = newHost();
    host.started();
    const first = threadOf(host);
    const answered = new Promise((resolve, reject) => {
      // Its error is told first, and its end after that.
      first.once('error', () => {
        host.ask(compare('s')).then(resolve, reject);
      });
    });
    const ended = new Promise((resolve) => first.once('exit', resolve));
    first.postMessage(null);
    await ended;
    expect(await answered).toMatchObject({ hits: [{ id: 'a' }] });
  });
});
