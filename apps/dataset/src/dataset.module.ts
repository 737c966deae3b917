import { Module } from '@nestjs/common';
import { DatasetCauseCalls } from '@switchyard/contracts';
import { causesController, ServiceModule, SpacePoliciesController } from '@switchyard/service';
import { writeCauses } from './db/write-causes';
import { DatasetConfig } from './dataset.config';
import { DatasetsController } from './datasets/datasets.controller';
import { DatasetsService } from './datasets/datasets.service';
import { DatasetReader } from './db/dataset-reader';
import { EmbeddingsRepository } from './db/embeddings.repository';
import { ImportLeftoversRepository } from './db/import-leftovers.repository';
import { ImportQueueRepository } from './db/import-queue.repository';
import { ImportsRepository } from './db/imports.repository';
import { Layouts } from './db/layouts';
import { RecordWritesRepository } from './db/record-writes.repository';
import { RecordsRepository } from './db/records.repository';
import { SpaceStorageRepository } from './db/space-storage.repository';
import { tables } from './db/tables';
import { VectorsRepository } from './db/vectors.repository';
import { VectorTablesRepository } from './db/vector-tables.repository';
import { EmbeddingsController } from './embeddings/embeddings.controller';
import { EmbeddingsService } from './embeddings/embeddings.service';
import { ExportController } from './exports/export.controller';
import { ExportService } from './exports/export.service';
import { ImportController } from './imports/import.controller';
import { ImportJobs } from './imports/import-jobs';
import { ImportLeftovers } from './imports/import-leftovers';
import { ImportWriter } from './imports/import-writer';
import { ImportService } from './imports/import.service';
import { DatasetLosses } from './losses/dataset-losses';
import { Announcer } from './records/announcer';
import { QueryService } from './records/query.service';
import { RecordsController } from './records/records.controller';
import { RecordsService } from './records/records.service';
import { UpsertService } from './records/upsert.service';
import { WriteTurns } from './records/write-turns';
import { WatchedWrites } from './records/watched-writes';
import { WriteRetention } from './retention/write-retention';
import { HybridSearchService } from './search/hybrid-search.service';
import { MemoryRanking } from './search/memory-ranking';
import { SearchController } from './search/search.controller';
import { TableRanking } from './search/table-ranking';
import { TextSearchService } from './search/text-search.service';
import { VectorSearchService } from './search/vector-search.service';
import { SpaceStorage } from './storage/space-storage';
import { StorageReporter } from './storage/storage-reporter';
import { Embedder } from './vectors/embedder';
import { IndexHost } from './vectors/index-host';
import { VectorIndexes } from './vectors/vector-indexes';
import { VectorTables } from './vectors/vector-tables';
import { WatchesController } from './watches/watches.controller';
import { WatchesService } from './watches/watches.service';

@Module({
  imports: [
    ServiceModule.forService({ name: 'dataset', config: DatasetConfig, database: true, tables, isSearched: true }),
  ],
  controllers: [
    SpacePoliciesController,
    causesController(DatasetCauseCalls, writeCauses),
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
    WriteTurns,
    QueryService,
    WatchedWrites,
    Announcer,
    VectorSearchService,
    MemoryRanking,
    TableRanking,
    TextSearchService,
    HybridSearchService,
    ExportService,
    ImportService,
    ImportJobs,
    DatasetLosses,
    ImportLeftovers,
    ImportWriter,
    WatchesService,
    EmbeddingsService,
    Embedder,
    { provide: IndexHost, useFactory: () => new IndexHost() },
    VectorIndexes,
    VectorTables,
    Layouts,
    RecordsRepository,
    SpaceStorage,
    StorageReporter,
    SpaceStorageRepository,
    RecordWritesRepository,
    WriteRetention,
    DatasetReader,
    VectorsRepository,
    EmbeddingsRepository,
    VectorTablesRepository,
    ImportsRepository,
    ImportQueueRepository,
    ImportLeftoversRepository,
  ],
})
export class DatasetModule {}
