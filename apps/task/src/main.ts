import { runService } from '@switchyard/service';
import { migrations } from './db/migrations';
import { TaskModule } from './task.module';

void runService('task', TaskModule, { migrations });
