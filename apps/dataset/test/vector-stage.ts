import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { type Ctx, makeCtx } from '@switchyard/contracts';
import { Database, migrate, prepareDatabase, serviceUrl } from '@switchyard/database';
import { newId, parseFilter } from '@switchyard/kernel';
import { type Bus, Trials } from '@switchyard/messaging';
import { Logger, Metrics, PayerCache, PoisonedWork, Workers } from '@switchyard/service';
import { embed } from '../../../tools/simulator';
import type { DatasetConfig } from '../src/dataset.config';
import { DatasetsService } from '../src/datasets/datasets.service';
import { DatasetReader } from '../src/db/dataset-reader';
import { LayoutCache } from '../src/db/layout-cache';
import { migrations } from '../src/db/migrations';
import { ImportQueueRepository } from '../src/db/import-queue.repository';
import { RecordsRepository } from '../src/db/records.repository';
import { RecordWritesRepository } from '../src/db/record-writes.repository';
import { tables as declared } from '../src/db/tables';
import { VectorsRepository } from '../src/db/vectors.repository';
import { PgvectorTablesRepository } from '../src/db/pgvector-tables.repository';
import { ChangePublisher } from '../src/records/change-publisher';
import { CrashedImportsAndEmbeddings } from '../src/losses/crashed-imports-and-embeddings';
import { RecordsService } from '../src/records/records.service';
import type { UpsertService } from '../src/records/upsert.service';
import type { EventedWrites } from '../src/records/evented-writes';
import { WriteQueue } from '../src/records/write-queue';
import { MemoryVectorSearch } from '../src/search/memory-vector-search';
import type { VectorSearch } from '../src/search/vector-search-request';
import { PgvectorSearch } from '../src/search/pgvector-search';
import { IndexThreadClient } from '../src/vectors/index-thread-client';
import { Embedder } from '../src/vectors/embedder';
import { VectorIndexLoader } from '../src/vectors/vector-index-loader';
import { PgvectorTableSync } from '../src/vectors/pgvector-table-sync';
import { Pglite } from './pglite';
import { activeSpaces, unlimitedStorage } from './unlimited-storage';

export interface VectorQuery {
  query: string;
  topK?: number;
  filter?: Record<string, unknown>;
}

export type VectorHits = { id: string; score: number }[];

const config = {
  DATASET_VECTOR_INDEX: 'auto',
  DATASET_EMBED_BATCH: 64,
  DATASET_VECTOR_MEMORY_MB: 256,
  DATASET_VECTOR_SPACE_SHARE_PERCENT: 50,
} as unknown as DatasetConfig;

/** A thread runs what was built. */
export const BUILT_THREAD = path.join(__dirname, '../../../dist/apps/dataset/src/vectors/index-thread.js');

/** Only the model is not real: texts get the simulator's vectors without the way through the relay. */
const bus = {
  call: (_contract: unknown, _ctx: unknown, { texts }: { texts: string[] }) =>
    Promise.resolve({ vectors: texts.map((text) => Buffer.from(embed(text).buffer).toString('base64')) }),
} as unknown as Bus;

/** The vector search of the dataset service on one database with pgvector, beside the search in memory. */
export class VectorStage {
  readonly ctx = contextOf(newId());
  private readonly layouts = new LayoutCache();
  private readonly reader: DatasetReader;
  private readonly logger = new Logger('dataset', 'silent');
  private readonly workers = new Workers(this.logger);
  private readonly repository = new PgvectorTablesRepository();
  private readonly indexes: VectorIndexLoader;
  private readonly memory: MemoryVectorSearch;
  private readonly ranking: PgvectorSearch;
  readonly datasets: DatasetsService;
  readonly records: RecordsService;
  readonly tables: PgvectorTableSync;

  private constructor(
    readonly pglite: Pglite,
    readonly database: Database,
  ) {
    const vectors = new VectorsRepository();
    this.reader = new DatasetReader(database, this.layouts);
    this.tables = new PgvectorTableSync(
      database,
      config,
      this.layouts,
      vectors,
      this.repository,
      this.logger,
      this.workers,
    );
    const poisoned = new PoisonedWork(database, this.workers, new Metrics('dataset'), this.logger, new Trials());
    const embedder = new Embedder(
      database,
      bus,
      config,
      this.layouts,
      vectors,
      this.tables,
      this.logger,
      poisoned,
      new CrashedImportsAndEmbeddings(new ImportQueueRepository(), vectors, poisoned),
      activeSpaces,
      new PayerCache(),
      this.workers,
    );
    this.indexes = new VectorIndexLoader(
      database,
      config,
      vectors,
      new IndexThreadClient(BUILT_THREAD),
      new PayerCache(),
      new Metrics('dataset'),
    );
    this.memory = new MemoryVectorSearch(database, new RecordsRepository(), this.reader, this.indexes);
    this.ranking = new PgvectorSearch(database, this.reader, this.repository, this.tables);
    this.datasets = new DatasetsService(database, unlimitedStorage());
    this.records = new RecordsService(
      database,
      this.layouts,
      new RecordsRepository(),
      {} as UpsertService,
      {} as EventedWrites,
      new ChangePublisher(),
      embedder,
      new RecordWritesRepository(),
      new WriteQueue(this.layouts),
      unlimitedStorage(),
    );
  }

  static async open(): Promise<VectorStage> {
    const pglite = await Pglite.start();
    try {
      const login = { service: 'dataset', password: randomUUID() };
      await prepareDatabase(pglite.url, [login]);
      await pglite.say('set search_path = dataset, public');
      await migrate(pglite.url, { service: 'dataset', migrations });
      // One backend for all connections: from here on it is the service's, which row-level security holds.
      await pglite.say('set session authorization postgres_dataset; set search_path = dataset, public');
      const log = { warn: () => undefined, error: () => undefined };
      const database = new Database({
        service: 'dataset',
        url: serviceUrl(pglite.url, login),
        poolSize: 1,
        log,
        tables: declared,
        isSearched: true,
      });
      await database.connect();
      return new VectorStage(pglite, database);
    } catch (error) {
      pglite.stop();
      throw error;
    }
  }

  start(): void {
    this.workers.start();
  }

  async inMemory(datasetId: string, question: VectorQuery): Promise<VectorHits> {
    const request = await this.read(datasetId, question);
    return shown(await this.memory.nearest(this.ctx, request, request.columns[0]!, embed(question.query)));
  }

  /** Null where the tables cannot answer. */
  async inTables(datasetId: string, question: VectorQuery): Promise<VectorHits | null> {
    const request = await this.read(datasetId, question);
    const hits = await this.ranking.nearest(this.ctx, request, request.columns[0]!, embed(question.query));
    return hits === null ? null : shown(hits);
  }

  /** A search in memory of its own, of so many MiB. Stop it with `onApplicationShutdown`. */
  indexesOf(megabytes: number, host = new IndexThreadClient(BUILT_THREAD)): VectorIndexLoader {
    const bounds = { ...config, DATASET_VECTOR_MEMORY_MB: megabytes };
    return new VectorIndexLoader(
      this.database,
      bounds,
      new VectorsRepository(),
      host,
      new PayerCache(),
      new Metrics('dataset'),
    );
  }

  private async read(datasetId: string, { topK = 10, filter }: VectorQuery): Promise<VectorSearch> {
    const layout = await this.database.transaction(this.ctx, (tx) =>
      this.layouts.get(tx, this.ctx.spaceId ?? '', datasetId),
    );
    return {
      layout,
      columns: layout.vector,
      filter: parseFilter(filter, layout.types),
      fields: null,
      topK,
      minScore: -Infinity,
    };
  }

  async close(): Promise<void> {
    await this.workers.stop(300);
    await this.indexes.onApplicationShutdown();
    await this.database.close().catch(() => undefined);
    this.pglite.stop();
  }
}

const shown = (hits: readonly { record: Record<string, unknown>; score: number }[]): VectorHits =>
  hits.map(({ record, score }) => ({ id: record['id'] as string, score }));

export const contextOf = (spaceId: string): Ctx =>
  makeCtx({
    spaceId,
    userId: newId(),
    role: 'OWNER',
    scopes: ['*'],
    credentialId: null,
    credentialType: 'jwt',
    applicationId: null,
  });
