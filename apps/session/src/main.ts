import { runService } from '@switchyard/service';
import { migrations } from './db/migrations';
import { SessionModule } from './session.module';

void runService('session', SessionModule, { migrations });
