import { Module } from '@nestjs/common';
import { RelayCalls } from '@switchyard/contracts';
import { contractRoutes } from '../../routing/contract-routes';
import { UsageController } from './usage.controller';

@Module({ controllers: [...contractRoutes(RelayCalls), UsageController] })
export class UsageModule {}
