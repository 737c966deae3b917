import { Database, type Tx } from '@switchyard/database';
import { newId } from '@switchyard/kernel';
import { usePlatform } from '@switchyard/testing';
import type { DatasetConfig } from '../src/dataset.config';
import { LayoutCache } from '../src/db/layout-cache';
import { RecordsRepository } from '../src/db/records.repository';
import { RecordWritesRepository } from '../src/db/record-writes.repository';
import type { Selection, StoredRecord } from '../src/db/sql/record-reads';
import { tables } from '../src/db/tables';
import type { Layout } from '../src/domain/table-layout';
import { ChangePublisher } from '../src/records/change-publisher';
import { RecordsService } from '../src/records/records.service';
import type { UpsertService } from '../src/records/upsert.service';
import { EventedWrites } from '../src/records/evented-writes';
import { WriteQueue } from '../src/records/write-queue';
import type { Embedder } from '../src/vectors/embedder';
import { unlimitedStorage } from './unlimited-storage';
import { contextOf } from './vector-stage';

const platform = usePlatform();

const KIB = 1024;
const MIB = KIB * KIB;

/** Notes how much is read at a time. */
class WeighingRepository extends RecordsRepository {
  readonly bytes: number[] = [];

  override async matching(
    tx: Tx,
    layout: Layout,
    spaceId: string,
    selection: Selection,
    fields: ReadonlySet<string> | null,
  ): Promise<StoredRecord[]> {
    const records = await super.matching(tx, layout, spaceId, selection, fields);
    this.bytes.push(JSON.stringify(records).length);
    return records;
  }
}

describe('an update of a dataset whose writes are announced', () => {
  let database: Database;

  beforeAll(async () => {
    const url = platform.state.databaseLogins['dataset'] ?? '';
    const log = { warn: () => undefined, error: () => undefined };
    database = new Database({ service: 'dataset', url, poolSize: 2, log, tables, isSearched: true });
    await database.connect();
  });
  afterAll(() => database.close());

  it('reads back no more bytes at a time than a piece may have, although the records were short before', async () => {
    const space = await platform.newSpace();
    const fields = [{ name: 'body', type: 'text' }];
    const datasetId = (await space.owner.post('/datasets', { name: 'Watched', schema: { fields } })).body.data.id;
    const records = Array.from({ length: 12 }, (_, n) => ({ body: `short ${n}` }));
    expect((await space.owner.post(`/datasets/${datasetId}/data/insert`, { records })).status).toBe(200);
    await platform.database.query(
      `insert into dataset.dataset_watches (space_id, dataset_id, watcher_id, operations) values ($1, $2, $3, '{update}')`,
      [space.id, datasetId, newId()],
    );
    const config = {
      DATASET_MAX_WATCHED_ROWS: 100,
      DATASET_WATCHED_PIECE_ROWS: 100,
      DATASET_WATCHED_PIECE_MB: 1,
    } as DatasetConfig;
    const layoutCache = new LayoutCache();
    const repository = new WeighingRepository();
    const service = new RecordsService(
      database,
      layoutCache,
      repository,
      {} as UpsertService,
      new EventedWrites(config, repository),
      new ChangePublisher(),
      { wake: () => undefined } as unknown as Embedder,
      new RecordWritesRepository(),
      new WriteQueue(layoutCache),
      unlimitedStorage(),
    );
    const set = { body: 'x'.repeat(250 * KIB) };
    expect(await service.update(contextOf(space.id), { datasetId, all: true, set })).toEqual({ updated: 12 });
    expect(repository.bytes).toHaveLength(3);
    expect(Math.max(...repository.bytes)).toBeLessThan(MIB + 10 * KIB);
  });
});
