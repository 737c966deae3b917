import type { Ctx } from '@switchyard/contracts';
import { Database } from '@switchyard/database';
import { type Bus, Trials } from '@switchyard/messaging';
import { Logger, Metrics, PayerCache, PoisonedWork, ReachedLimitReports, Workers } from '@switchyard/service';
import type { TestPlatform } from '@switchyard/testing';
import type { DatasetConfig } from '../src/dataset.config';
import { FinishedImportCleanupRepository } from '../src/db/finished-import-cleanup.repository';
import { ImportQueueRepository } from '../src/db/import-queue.repository';
import { ImportsRepository } from '../src/db/imports.repository';
import { LayoutCache } from '../src/db/layout-cache';
import { RecordsRepository } from '../src/db/records.repository';
import { RecordWritesRepository } from '../src/db/record-writes.repository';
import { tables as declared } from '../src/db/tables';
import { VectorsRepository } from '../src/db/vectors.repository';
import { PgvectorTablesRepository } from '../src/db/pgvector-tables.repository';
import { ImportJobs } from '../src/imports/import-jobs';
import { FinishedImportCleanup } from '../src/imports/finished-import-cleanup';
import { ImportWriter } from '../src/imports/import-writer';
import { ImportService } from '../src/imports/import.service';
import { ChangePublisher } from '../src/records/change-publisher';
import { CrashedImportsAndEmbeddings } from '../src/losses/crashed-imports-and-embeddings';
import { RecordsService } from '../src/records/records.service';
import type { UpsertService } from '../src/records/upsert.service';
import type { EventedWrites } from '../src/records/evented-writes';
import { WriteQueue } from '../src/records/write-queue';
import { Embedder } from '../src/vectors/embedder';
import { PgvectorTableSync } from '../src/vectors/pgvector-table-sync';
import { activeSpaces, unlimitedStorage } from './unlimited-storage';

const config = {
  DATASET_VECTOR_INDEX: 'memory',
  DATASET_EMBED_BATCH: 64,
  DATASET_IMPORT_WORKERS: 2,
  DATASET_IMPORT_DIRECT_ROWS: 2000,
  DATASET_MAX_WATCHED_ROWS: 10_000,
  DATASET_OPEN_IMPORTS: 5,
} as unknown as DatasetConfig;

/**
 * The imports of the dataset service as its caller sees them, on the platform's database. Jobs are left to its service.
 */
export class ImportStage {
  private constructor(
    readonly database: Database,
    readonly imports: ImportService,
  ) {}

  static async open(platform: TestPlatform, storage = unlimitedStorage()): Promise<ImportStage> {
    const log = { warn: () => undefined, error: () => undefined };
    const url = platform.state.databaseLogins['dataset'] ?? '';
    const database = new Database({ service: 'dataset', url, poolSize: 6, log, tables: declared, isSearched: true });
    await database.connect();
    const logger = new Logger('dataset', 'silent');
    const workers = new Workers(logger);
    const layoutCache = new LayoutCache();
    const vectors = new VectorsRepository();
    const tables = new PgvectorTableSync(
      database,
      config,
      layoutCache,
      vectors,
      new PgvectorTablesRepository(),
      logger,
      workers,
    );
    const metrics = new Metrics('dataset');
    const poisoned = new PoisonedWork(database, workers, metrics, logger, new Trials());
    const queue = new ImportQueueRepository();
    const losses = new CrashedImportsAndEmbeddings(queue, vectors, poisoned);
    const embedder = new Embedder(
      database,
      {} as Bus,
      config,
      layoutCache,
      vectors,
      tables,
      logger,
      poisoned,
      losses,
      activeSpaces,
      new PayerCache(),
      workers,
    );
    const rows = new RecordsRepository();
    const records = new RecordsService(
      database,
      layoutCache,
      rows,
      {} as UpsertService,
      {} as EventedWrites,
      new ChangePublisher(),
      embedder,
      new RecordWritesRepository(),
      new WriteQueue(layoutCache),
      storage,
    );
    const imports = new ImportsRepository();
    const writer = new ImportWriter(config, layoutCache, imports, queue, rows, records, storage);
    const parts = new FinishedImportCleanupRepository();
    const cleanup = new FinishedImportCleanup(database, parts, layoutCache, rows, embedder, workers);
    const jobs = new ImportJobs(
      database,
      queue,
      writer,
      cleanup,
      storage,
      activeSpaces,
      new PayerCache(),
      logger,
      config,
      poisoned,
      losses,
      new ReachedLimitReports(logger),
      workers,
      metrics,
    );
    return new ImportStage(
      database,
      new ImportService(config, database, layoutCache, imports, writer, jobs, cleanup, embedder, storage),
    );
  }

  /** An upload of so many parts of 1,000 lines, up to where its last part was taken. */
  async upload(ctx: Ctx, datasetId: string, parts: number, prefix = 's'): Promise<string> {
    const { importId } = await this.imports.begin(ctx, { datasetId, format: 'ndjson' });
    for (let part = 0; part < parts; part += 1) await this.append(ctx, importId, part, prefix);
    return importId;
  }

  append(ctx: Ctx, importId: string, part: number, prefix = 's'): Promise<{ staged: number }> {
    const lines = Array.from({ length: 1000 }, (_, n) => ({
      line: part * 1000 + n + 1,
      value: { sku: `${prefix}${part * 1000 + n}`, n },
    }));
    return this.imports.append(ctx, { importId, part, lines });
  }

  /** Deletes unfinished uploads, as the service does now and then. */
  async forgetOld(): Promise<void> {
    const parts = new FinishedImportCleanupRepository();
    while ((await this.database.system('forget old imports', (tx) => parts.forgetOld(tx, 100))) > 0);
  }

  close(): Promise<void> {
    return this.database.close();
  }
}
