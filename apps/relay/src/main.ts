import { runService } from '@switchyard/service';
import { migrations } from './db/migrations';
import { RelayModule } from './relay.module';

void runService('relay', RelayModule, { migrations });
