import { Module } from '@nestjs/common';
import { RelayCalls } from '@switchyard/contracts';
import { plainRoutes } from '../../routing/plain-routes';
import { UsageController } from './usage.controller';

@Module({ controllers: [...plainRoutes(RelayCalls), UsageController] })
export class UsageModule {}
