import { Module } from '@nestjs/common';
import { AgentCalls } from '@switchyard/contracts';
import { plainRoutes } from '../../routing/plain-routes';
import { AgentsController } from './agents.controller';

@Module({ controllers: [...plainRoutes(AgentCalls), AgentsController] })
export class AgentsModule {}
