import { Module } from '@nestjs/common';
import { DatasetCauseCalls, DatasetPlatformEvents } from '@switchyard/contracts';
import {
  causesController,
  platformEventsController,
  ServiceModule,
  SpacePoliciesController,
} from '@switchyard/service';
import { writeCauses } from './db/write-cause-nodes';
import { DatasetConfig } from './dataset.config';
import { DatasetsController } from './datasets/datasets.controller';
import { DatasetsService } from './datasets/datasets.service';
import { DatasetReader } from './db/dataset-reader';
import { EmbeddingsRepository } from './db/embeddings.repository';
import { FinishedImportCleanupRepository } from './db/finished-import-cleanup.repository';
import { ImportQueueRepository } from './db/import-queue.repository';
import { ImportsRepository } from './db/imports.repository';
import { LayoutCache } from './db/layout-cache';
import { RecordWritesRepository } from './db/record-writes.repository';
import { RecordsRepository } from './db/records.repository';
import { SpaceStorageRepository } from './db/space-storage.repository';
import { tables } from './db/tables';
import { VectorsRepository } from './db/vectors.repository';
import { PgvectorTablesRepository } from './db/pgvector-tables.repository';
import { EmbeddingsController } from './embeddings/embeddings.controller';
import { EmbeddingsService } from './embeddings/embeddings.service';
import { ExportController } from './exports/export.controller';
import { ExportService } from './exports/export.service';
import { ImportController } from './imports/import.controller';
import { ImportJobs } from './imports/import-jobs';
import { FinishedImportCleanup } from './imports/finished-import-cleanup';
import { ImportWriter } from './imports/import-writer';
import { ImportService } from './imports/import.service';
import { CrashedImportsAndEmbeddings } from './losses/crashed-imports-and-embeddings';
import { ChangePublisher } from './records/change-publisher';
import { QueryService } from './records/query.service';
import { RecordsController } from './records/records.controller';
import { RecordsService } from './records/records.service';
import { UpsertService } from './records/upsert.service';
import { WriteQueue } from './records/write-queue';
import { EventedWrites } from './records/evented-writes';
import { WriteRetention } from './retention/write-retention';
import { HybridSearchService } from './search/hybrid-search.service';
import { MemoryVectorSearch } from './search/memory-vector-search';
import { SearchController } from './search/search.controller';
import { PgvectorSearch } from './search/pgvector-search';
import { TextSearchService } from './search/text-search.service';
import { VectorSearchService } from './search/vector-search.service';
import { StorageQuota } from './storage/storage-quota';
import { StorageReporter } from './storage/storage-reporter';
import { Embedder } from './vectors/embedder';
import { IndexThreadClient } from './vectors/index-thread-client';
import { VectorIndexLoader } from './vectors/vector-index-loader';
import { PgvectorTableSync } from './vectors/pgvector-table-sync';
import { WatchesController } from './watches/watches.controller';
import { WatchesService } from './watches/watches.service';

@Module({
  imports: [
    ServiceModule.forService({ name: 'dataset', config: DatasetConfig, database: true, tables, isSearched: true }),
  ],
  controllers: [
    SpacePoliciesController,
    causesController(DatasetCauseCalls, writeCauses),
    platformEventsController(DatasetPlatformEvents),
    DatasetsController,
    RecordsController,
    SearchController,
    ExportController,
    ImportController,
    EmbeddingsController,
    WatchesController,
  ],
  providers: [
    DatasetsService,
    RecordsService,
    UpsertService,
    WriteQueue,
    QueryService,
    EventedWrites,
    ChangePublisher,
    VectorSearchService,
    MemoryVectorSearch,
    PgvectorSearch,
    TextSearchService,
    HybridSearchService,
    ExportService,
    ImportService,
    ImportJobs,
    CrashedImportsAndEmbeddings,
    FinishedImportCleanup,
    ImportWriter,
    WatchesService,
    EmbeddingsService,
    Embedder,
    { provide: IndexThreadClient, useFactory: () => new IndexThreadClient() },
    VectorIndexLoader,
    PgvectorTableSync,
    LayoutCache,
    RecordsRepository,
    StorageQuota,
    StorageReporter,
    SpaceStorageRepository,
    RecordWritesRepository,
    WriteRetention,
    DatasetReader,
    VectorsRepository,
    EmbeddingsRepository,
    PgvectorTablesRepository,
    ImportsRepository,
    ImportQueueRepository,
    FinishedImportCleanupRepository,
  ],
})
export class DatasetModule {}
