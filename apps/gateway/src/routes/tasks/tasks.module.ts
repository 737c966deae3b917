import { Module } from '@nestjs/common';
import { TaskCalls } from '@switchyard/contracts';
import { plainRoutes } from '../../routing/plain-routes';
import { ExecutionsController } from './executions.controller';

@Module({ controllers: [...plainRoutes(TaskCalls), ExecutionsController] })
export class TasksModule {}
