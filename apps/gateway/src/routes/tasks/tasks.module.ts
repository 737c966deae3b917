import { Module } from '@nestjs/common';
import { TaskCalls } from '@switchyard/contracts';
import { contractRoutes } from '../../routing/contract-routes';
import { ExecutionsController } from './executions.controller';

@Module({ controllers: [...contractRoutes(TaskCalls), ExecutionsController] })
export class TasksModule {}
