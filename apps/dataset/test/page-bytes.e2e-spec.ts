import { type Ctx, makeCtx } from '@switchyard/contracts';
import { Database, type Read } from '@switchyard/database';
import { EVERYTHING, newId } from '@switchyard/kernel';
import { type Client, type TestSpace, until, usePlatform } from '@switchyard/testing';
import { DatasetReader } from '../src/db/dataset-reader';
import { LayoutCache } from '../src/db/layout-cache';
import { rankedReads } from '../src/db/sql/record-reads';
import { tables } from '../src/db/tables';
import { QueryService } from '../src/records/query.service';
import { TextSearchService } from '../src/search/text-search.service';

const platform = usePlatform();

const KIB = 1024;
const MIB = KIB * KIB;
/** Of one answer, with the record that passes it. */
const MAX_READ = 3 * MIB;

/** Counts what the statements of reads answer with: all of that is in memory at once. */
class WeighedDatabase extends Database {
  bytes = 0;
  reads = 0;

  override async read(ctx: Ctx, reads: readonly Read[]): Promise<Record<string, unknown>[][]> {
    const answers = await super.read(ctx, reads);
    this.reads += 1;
    this.bytes = Math.max(this.bytes, Buffer.byteLength(JSON.stringify(answers)));
    return answers;
  }
}

describe('what a process reads for one page', () => {
  let space: TestSpace;
  let owner: Client;
  let ctx: Ctx;
  let database: WeighedDatabase;
  let queries: QueryService;
  let texts: TextSearchService;
  let reader: DatasetReader;
  let datasetId: string;

  beforeAll(async () => {
    space = await platform.newSpace();
    owner = space.owner;
    ctx = makeCtx({
      spaceId: space.id,
      userId: newId(),
      role: 'OWNER',
      scopes: ['*'],
      credentialId: null,
      credentialType: 'jwt',
      applicationId: null,
    });
    const url = platform.state.databaseLogins['dataset'] ?? '';
    const log = { warn: () => undefined, error: () => undefined };
    database = new WeighedDatabase({ service: 'dataset', url, poolSize: 2, log, tables, isSearched: true });
    await database.connect();
  });

  afterAll(() => database.close());

  beforeEach(async () => {
    const fields = [
      { name: 'key', type: 'string', unique: true },
      { name: 'title', type: 'string', fullText: true },
      { name: 'body', type: 'text' },
    ];
    datasetId = (await owner.post('/datasets', { name: 'Pages', schema: { fields } })).body.data.id;
    newReader();
    await insert(10, 10);
  });

  /** As a process that has just started. */
  function newReader(): void {
    reader = new DatasetReader(database, new LayoutCache());
    queries = new QueryService(reader);
    texts = new TextSearchService(reader);
  }

  let inserted = 0;
  const insert = async (count: number, bytes: number): Promise<void> => {
    const record = () => ({ key: `k${(inserted += 1)}`, title: 'railway', body: 'x'.repeat(bytes) });
    const records = Array.from({ length: count }, record);
    expect((await owner.post(`/datasets/${datasetId}/data/insert`, { records })).status).toBe(200);
  };
  const update = async (body: string): Promise<void> => {
    expect((await owner.post(`/datasets/${datasetId}/data/update`, { all: true, set: { body } })).status).toBe(200);
  };
  const pages = async (): Promise<string[]> => {
    const ids: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await queries.query(ctx, { datasetId, limit: 100, cursor });
      ids.push(...page.items.map((item) => item['id'] as string));
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
    return ids;
  };
  /** Reads of short records, so that this process knows the dataset as one that needs no bound. */
  const readBefore = async (): Promise<void> => {
    for (let turn = 0; turn < 3; turn += 1) await pages();
    database.bytes = 0;
    database.reads = 0;
    await pages();
    expect(database.reads).toBe(1);
  };

  it('is refused once where it gets no connection, and does not wait a second time', async () => {
    const url = platform.state.databaseLogins['dataset'] ?? '';
    const log = { warn: () => undefined, error: () => undefined };
    const narrow = new Database({ service: 'dataset', url, poolSize: 1, poolWaitMs: 200, log, isSearched: true });
    await narrow.connect();
    queries = new QueryService(new DatasetReader(narrow, new LayoutCache()));
    await pages();
    let letGo = (): void => undefined;
    const busy = narrow.system('hold the only connection', () => new Promise<void>((resolve) => (letGo = resolve)));
    await until(() => Promise.resolve(narrow.poolUse.used === 1));
    await expect(queries.query(ctx, { datasetId })).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(narrow.poolUse.refused).toBe(1);
    letGo();
    await busy;
    expect((await queries.query(ctx, { datasetId })).items).toHaveLength(10);
    await narrow.close();
  });

  it.each<[string, () => Promise<void>, number]>([
    [
      'inserted',
      async () => {
        for (let turn = 0; turn < 5; turn += 1) await insert(10, 900 * KIB);
      },
      60,
    ],
    [
      'changed',
      async () => {
        await insert(40, 10);
        await update('y'.repeat(500 * KIB));
      },
      50,
    ],
    [
      'merged',
      async () => {
        await insert(30, 10);
        const found = await owner.post(`/datasets/${datasetId}/data/query`, { limit: 100, fields: ['key'] });
        for (let from = 0; from < 40; from += 10) {
          const records = (found.body.data as { key: string }[])
            .slice(from, from + 10)
            .map(({ key }) => ({ key, body: 'z'.repeat(700 * KIB) }));
          const merge = { records, onConflict: { field: 'key', action: 'UPDATE' } };
          expect((await owner.post(`/datasets/${datasetId}/data/insert`, merge)).status).toBe(200);
        }
      },
      40,
    ],
    [
      'imported',
      async () => {
        const line = (n: number): string => `${JSON.stringify({ key: `i${n}`, body: 'x'.repeat(900 * KIB) })}\n`;
        const file = Buffer.from(Array.from({ length: 30 }, (_, n) => line(n)).join(''));
        const headers = { 'content-type': 'application/x-ndjson' };
        expect((await owner.post(`/datasets/${datasetId}/import`, file, { headers })).status).toBe(200);
      },
      40,
    ],
    [
      'written by a version that does not note how large records are',
      async () => {
        for (let turn = 0; turn < 3; turn += 1) await insert(10, 900 * KIB);
        await platform.database.query(
          'update dataset.dataset_counts set slot = slot - 8, largest = null where dataset_id = $1',
          [datasetId],
        );
      },
      40,
    ],
  ])(
    'is bounded in bytes from the first page on with large records that were just %s',
    async (_how, write, records) => {
      await readBefore();
      await write();
      expect(new Set(await pages()).size).toBe(records);
      expect(database.bytes).toBeLessThan(MAX_READ);
      newReader();
      expect(new Set(await pages()).size).toBe(records);
      expect(database.bytes).toBeLessThan(MAX_READ);
    },
  );

  it('is bounded in bytes where the records were found by words, or are those of a ranking', async () => {
    const ids = await pages();
    const search = () => texts.search(ctx, { datasetId, query: 'railway', limit: 100 });
    const ranked = () =>
      reader.read(ctx, datasetId, (layout, spaceId) =>
        rankedReads(layout, spaceId, { ids, filter: EVERYTHING, fields: null }),
      );
    for (let turn = 0; turn < 3; turn += 1) await search();
    expect((await ranked()).map((row) => row['id'])).toEqual(ids);
    database.bytes = 0;
    await update('y'.repeat(900 * KIB));
    expect((await ranked()).map((row) => row['id'])).toEqual(ids.slice(0, 3));
    for (let turn = 0; turn < 4; turn += 1) await insert(10, 900 * KIB);
    expect((await search()).items.length).toBeGreaterThan(0);
    expect(database.bytes).toBeLessThan(MAX_READ);
  });

  it('has all records of short fields, however large the others are', async () => {
    for (let turn = 0; turn < 3; turn += 1) await insert(10, 900 * KIB);
    await pages();
    const page = await queries.query(ctx, { datasetId, limit: 100, fields: ['key'] });
    expect(page.items).toHaveLength(40);
  });
});
