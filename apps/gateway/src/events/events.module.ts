import { Module } from '@nestjs/common';
import { EnvelopesController } from './envelopes.controller';
import { EventsController } from './events.controller';
import { SubscriptionsController } from './subscriptions.controller';

@Module({ controllers: [SubscriptionsController, EnvelopesController, EventsController] })
export class EventsModule {}
