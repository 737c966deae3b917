import { Module } from '@nestjs/common';
import { DatasetsController } from './datasets.controller';
import { EmbeddingsController } from './embeddings.controller';
import { FilesController } from './files.controller';
import { ImportsController } from './imports.controller';
import { RecordsController } from './records.controller';
import { SearchController } from './search.controller';

@Module({
  controllers: [
    DatasetsController,
    RecordsController,
    SearchController,
    FilesController,
    ImportsController,
    EmbeddingsController,
  ],
})
export class DatasetsModule {}
