import { runService } from '@switchyard/service';
import { migrations } from './db/migrations';
import { KeyModule } from './key.module';

void runService('key', KeyModule, { migrations });
