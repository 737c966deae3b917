import { Module } from '@nestjs/common';
import { EventBusActivityCalls, EventBusCauseCalls } from '@switchyard/contracts';
import {
  activityController,
  causesController,
  ServiceModule,
  SpacePoliciesController,
  oversizedNotices,
} from '@switchyard/service';
import { emissionCauses } from './db/emission-causes';
import { EmissionActivity } from './activity/emission-activity.service';
import { ApplicationsController } from './applications/applications.controller';
import { ApplicationsService } from './applications/applications.service';
import { ChangeNotes } from './applications/change-notes';
import { ChangeSettler } from './applications/change-settler';
import { Companions } from './applications/companions';
import { Declarations } from './applications/declarations';
import { RegisteredEventsService } from './applications/registered-events.service';
import { SystemKeys } from './applications/system-keys';
import { Uninstaller } from './applications/uninstaller';
import { Audit } from './audit/audit';
import { ApplicationChangesRepository } from './db/application-changes.repository';
import { ApplicationsRepository } from './db/applications.repository';
import { DeliveriesRepository } from './db/deliveries.repository';
import { EmissionsRepository } from './db/emissions.repository';
import { EnvelopesRepository } from './db/envelopes.repository';
import { OldEmissionsRepository } from './db/old-emissions.repository';
import { RegisteredEventsRepository } from './db/registered-events.repository';
import { RegistrationsRepository } from './db/registrations.repository';
import { RootBudgetsRepository } from './db/root-budgets.repository';
import { StatsRepository } from './db/stats.repository';
import { SubscriptionsRepository } from './db/subscriptions.repository';
import { tables } from './db/tables';
import { WaitingEmissionsRepository } from './db/waiting-emissions.repository';
import { Dispatcher } from './dispatch/dispatcher';
import { ShardDispatcher } from './dispatch/shard-dispatcher';
import { Matcher } from './dispatch/matcher';
import { SpaceBacklog } from './dispatch/space-backlog';
import { SubscriptionIndexes } from './dispatch/subscription-indexes';
import { DataEmissionsService } from './emissions/data-emissions.service';
import { DeliveriesService } from './emissions/delivery-results.service';
import { EmissionValidator } from './emissions/emission-validator';
import { EmissionRecorder } from './emissions/emission-recorder';
import { EmissionsController } from './emissions/emissions.controller';
import { EmissionsService } from './emissions/emissions.service';
import { EnvelopesController } from './envelopes/envelopes.controller';
import { EnvelopesService } from './envelopes/envelopes.service';
import { ReplayService } from './envelopes/replay.service';
import { StatsService } from './envelopes/stats.service';
import { EventBusConfig } from './event-bus.config';
import { EmissionRetention } from './retention/emission-retention';
import { PayloadSchemas } from './schemas/payload-schemas';
import { SubscriptionsController } from './subscriptions/subscriptions.controller';
import { SubscriptionsService } from './subscriptions/subscriptions.service';

@Module({
  imports: [ServiceModule.forService({ name: 'event-bus', config: EventBusConfig, database: true, tables })],
  controllers: [
    SpacePoliciesController,
    causesController(EventBusCauseCalls, emissionCauses),
    activityController(EventBusActivityCalls, EmissionActivity),
    ApplicationsController,
    SubscriptionsController,
    EmissionsController,
    EnvelopesController,
  ],
  providers: [
    oversizedNotices(
      'event-bus',
      { table: 'subscriptions', name: 'subscription' },
      { table: 'applications', name: 'application' },
      { table: 'registered_events', name: 'event' },
    ),
    EmissionActivity,
    ApplicationChangesRepository,
    ApplicationsRepository,
    ApplicationsService,
    Audit,
    ChangeNotes,
    ChangeSettler,
    Companions,
    DataEmissionsService,
    Declarations,
    DeliveriesRepository,
    DeliveriesService,
    Dispatcher,
    EmissionValidator,
    EmissionRecorder,
    EmissionRetention,
    EmissionsRepository,
    EmissionsService,
    EnvelopesRepository,
    EnvelopesService,
    ShardDispatcher,
    OldEmissionsRepository,
    Matcher,
    PayloadSchemas,
    RegisteredEventsRepository,
    RegisteredEventsService,
    RegistrationsRepository,
    ReplayService,
    RootBudgetsRepository,
    SpaceBacklog,
    StatsRepository,
    StatsService,
    SubscriptionIndexes,
    SubscriptionsRepository,
    SubscriptionsService,
    SystemKeys,
    Uninstaller,
    WaitingEmissionsRepository,
  ],
})
export class EventBusModule {}
