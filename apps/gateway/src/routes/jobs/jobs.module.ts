import { Module } from '@nestjs/common';
import { JobCalls } from '@switchyard/contracts';
import { plainRoutes } from '../../routing/plain-routes';
import { JobsController } from './jobs.controller';

@Module({ controllers: [...plainRoutes(JobCalls), JobsController] })
export class JobsModule {}
