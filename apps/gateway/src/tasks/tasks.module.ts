import { Module } from '@nestjs/common';
import { ExecutionsController } from './executions.controller';
import { TasksController } from './tasks.controller';

@Module({ controllers: [TasksController, ExecutionsController] })
export class TasksModule {}
