import { Module } from '@nestjs/common';
import { DatasetCalls } from '@switchyard/contracts';
import { contractRoutes } from '../../routing/contract-routes';
import { FilesController } from './dataset-export.controller';
import { ImportsController } from './imports.controller';
import { RecordsController } from './records.controller';
import { SearchController } from './search.controller';

@Module({
  controllers: [
    ...contractRoutes(DatasetCalls),
    RecordsController,
    SearchController,
    FilesController,
    ImportsController,
  ],
})
export class DatasetsModule {}
