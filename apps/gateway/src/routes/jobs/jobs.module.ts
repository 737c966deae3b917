import { Module } from '@nestjs/common';
import { JobCalls } from '@switchyard/contracts';
import { contractRoutes } from '../../routing/contract-routes';
import { JobsController } from './jobs.controller';

@Module({ controllers: [...contractRoutes(JobCalls), JobsController] })
export class JobsModule {}
