import { Module } from '@nestjs/common';
import { DatasetCalls } from '@switchyard/contracts';
import { plainRoutes } from '../../routing/plain-routes';
import { FilesController } from './files.controller';
import { ImportsController } from './imports.controller';
import { RecordsController } from './records.controller';
import { SearchController } from './search.controller';

@Module({
  controllers: [...plainRoutes(DatasetCalls), RecordsController, SearchController, FilesController, ImportsController],
})
export class DatasetsModule {}
