import { runService } from '@switchyard/service';
import { migrations } from './db/migrations';
import { EventBusModule } from './event-bus.module';

void runService('event-bus', EventBusModule, { migrations });
