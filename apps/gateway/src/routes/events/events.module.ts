import { Module } from '@nestjs/common';
import { EndpointCalls, EventBusCalls } from '@switchyard/contracts';
import { contractRoutes } from '../../routing/contract-routes';
import { EventsController } from './events.controller';

@Module({ controllers: [...contractRoutes(EventBusCalls), ...contractRoutes(EndpointCalls), EventsController] })
export class EventsModule {}
