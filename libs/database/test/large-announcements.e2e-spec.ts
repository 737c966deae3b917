import { DatasetEvents } from '@switchyard/contracts';
import { Database, type Tx } from '@switchyard/database';
import { newId } from '@switchyard/kernel';
import { usePlatform } from '@switchyard/testing';
import { ctxIn } from './ctx-in';

const platform = usePlatform();
const log = { warn: () => undefined, info: () => undefined, error: () => undefined, debug: () => undefined };

describe('a transaction that announces more than fits into memory', () => {
  let database: Database;
  const published: string[] = [];
  const ctx = ctxIn(newId());

  beforeAll(async () => {
    // The dataset service is not running, so these events are not published.
    database = new Database({
      service: 'dataset',
      url: platform.state.databaseLogins['dataset'] ?? '',
      poolSize: 2,
      log,
    });
    await database.connect();
    database.onCommit((rows) => published.push(...rows.map((row) => row.id)));
  });

  afterAll(async () => {
    await database.close();
  });

  const announce = async (tx: Tx, datasetId: string, count: number): Promise<number> => {
    let mostBuffered = 0;
    for (let version = 1; version <= count; version += 1) {
      const rows = [{ id: newId(), before: null, after: { text: 'x'.repeat(500_000) } }];
      const data = { datasetId, version, operation: 'insert' as const, rows };
      await tx.announce(DatasetEvents.recordsWritten, ctx, data, { orderKey: datasetId });
      mostBuffered = Math.max(mostBuffered, tx.announced.length);
    }
    return mostBuffered;
  };
  const stored = (tx: Tx, datasetId: string): Promise<{ version: number; isDue: boolean }[]> =>
    tx.query(
      `select (data->>'version')::int as version, locked_until <= clock_timestamp() as is_due
       from outbox where order_key = $1 order by id`,
      [datasetId],
    );
  const clear = (datasetId: string): Promise<unknown> =>
    database.system('clear', (tx) => tx.run('delete from outbox where order_key = $1', [datasetId]));

  it('keeps a few of them in memory and stores all of them in order, due at once', async () => {
    const datasetId = newId();
    const inside = await database.system('announce', async (tx) => {
      const mostBuffered = await announce(tx, datasetId, 30);
      const rows = await stored(tx, datasetId);
      // Removed before anything publishes them.
      await tx.run('delete from outbox where order_key = $1', [datasetId]);
      return { mostHeld: mostBuffered, rows, left: tx.announced.length };
    });
    await clear(datasetId);
    expect(inside.mostHeld).toBeLessThan(10);
    expect(inside.rows.length + inside.left).toBe(30);
    expect(inside.rows.map(({ version }) => version)).toEqual(inside.rows.map((_, at) => at + 1));
    expect(inside.rows.every(({ isDue }) => isDue)).toBe(true);
    expect(published).toEqual([]);
  });

  it('leaves none of them when it fails', async () => {
    const datasetId = newId();
    const failing = database.system('announce', async (tx) => {
      await announce(tx, datasetId, 12);
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await database.system('look', (tx) => stored(tx, datasetId))).toEqual([]);
  });

  it('takes back what a failed attempt in it announced, and no earlier event', async () => {
    const datasetId = newId();
    const leased = await database.system('announce', async (tx) => {
      await announce(tx, datasetId, 12);
      const before = { stored: (await stored(tx, datasetId)).length, held: tx.announced.length };
      await tx
        .attempt(async () => {
          await announce(tx, datasetId, 12);
          throw new Error('no');
        })
        .catch(() => undefined);
      const after = { stored: (await stored(tx, datasetId)).length, held: tx.announced.length };
      await tx.run('delete from outbox where order_key = $1', [datasetId]);
      tx.announced.length = 0;
      return { before, after };
    });
    expect(leased.after).toEqual(leased.before);
  });
});
