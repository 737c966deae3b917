import { Module } from '@nestjs/common';
import { AgentsController } from './agents.controller';
import { MemoriesController } from './memories.controller';

@Module({ controllers: [AgentsController, MemoriesController] })
export class AgentsModule {}
