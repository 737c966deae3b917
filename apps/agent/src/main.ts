import { runService } from '@switchyard/service';
import { AgentModule } from './agent.module';
import { migrations } from './db/migrations';

void runService('agent', AgentModule, { migrations });
