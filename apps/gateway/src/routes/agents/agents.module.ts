import { Module } from '@nestjs/common';
import { AgentCalls } from '@switchyard/contracts';
import { contractRoutes } from '../../routing/contract-routes';
import { AgentsController } from './agents.controller';

@Module({ controllers: [...contractRoutes(AgentCalls), AgentsController] })
export class AgentsModule {}
