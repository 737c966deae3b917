import { Module } from '@nestjs/common';
import { EventBusCalls } from '@switchyard/contracts';
import { contractRoutes } from '../../routing/contract-routes';
import { EventsController } from './events.controller';

@Module({ controllers: [...contractRoutes(EventBusCalls), EventsController] })
export class EventsModule {}
