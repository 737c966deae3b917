import { Module } from '@nestjs/common';
import { EventBusCalls } from '@switchyard/contracts';
import { plainRoutes } from '../../routing/plain-routes';
import { EventsController } from './events.controller';

@Module({ controllers: [...plainRoutes(EventBusCalls), EventsController] })
export class EventsModule {}
