import { runService } from '@switchyard/service';
import { migrations } from './db/migrations';
import { JobModule } from './job.module';

void runService('job', JobModule, { migrations });
