import { runService } from '@switchyard/service';
import { DatasetModule } from './dataset.module';
import { migrations } from './db/migrations';

void runService('dataset', DatasetModule, { migrations });
