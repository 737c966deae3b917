import { Module } from '@nestjs/common';
import { EventBusActivityCalls, EventBusCauseCalls, EventBusPlatformEvents } from '@switchyard/contracts';
import {
  activityController,
  causesController,
  Egress,
  KeyLimitsCache,
  platformEventsController,
  KeyLimitsController,
  Metrics,
  PayerCache,
  ServiceModule,
  SpacePoliciesController,
  oversizedNotices,
} from '@switchyard/service';
import { Bus } from '@switchyard/messaging';
import { emissionCauses } from './db/emission-causes';
import { EmissionActivity } from './activity/emission-activity.service';
import { ApplicationsController } from './applications/applications.controller';
import { ApplicationsService } from './applications/applications.service';
import { ApplicationChangeLock } from './applications/application-change-lock';
import { UnfinishedChangeRecovery } from './applications/unfinished-change-recovery';
import { RemoteResources } from './applications/remote-resources';
import { ManifestDeclarations } from './applications/manifest-declarations';
import { RegisteredEventsService } from './applications/registered-events.service';
import { ApplicationKeyClient } from './applications/application-key-client';
import { Uninstaller } from './applications/uninstaller';
import { SecurityEventRecorder } from './audit/security-event-recorder';
import { ApplicationChangesRepository } from './db/application-changes.repository';
import { ApplicationsRepository } from './db/applications.repository';
import { DeliveriesRepository } from './db/deliveries.repository';
import { EmissionsRepository } from './db/emissions.repository';
import { EnvelopesRepository } from './db/envelopes.repository';
import { EmissionRetentionRepository } from './db/emission-retention.repository';
import { PlatformApplicationRepository } from './db/platform-application.repository';
import { RegisteredEventsRepository } from './db/registered-events.repository';
import { RegistrationsRepository } from './db/registrations.repository';
import { RootBudgetsRepository } from './db/root-budgets.repository';
import { EmissionStatsRepository } from './db/emission-stats.repository';
import { SubscriptionsRepository } from './db/subscriptions.repository';
import { tables } from './db/tables';
import { WaitingEmissionsRepository } from './db/undispatched-emissions.repository';
import { Dispatcher } from './dispatch/dispatcher';
import { ShardDispatcher } from './dispatch/shard-dispatcher';
import { SubscriptionMatcher } from './dispatch/subscription-matcher';
import { SpaceBacklogQuota } from './dispatch/space-backlog-quota';
import { SubscriptionIndexes } from './dispatch/subscription-indexes';
import { DataEmissionsService } from './emissions/data-emissions.service';
import { DeliveryResultsService } from './emissions/delivery-results.service';
import { EmissionValidator } from './emissions/emission-validator';
import { EmissionRecorder } from './emissions/emission-recorder';
import { EmissionsController } from './emissions/emissions.controller';
import { EmissionsService } from './emissions/emissions.service';
import { EnvelopesController } from './envelopes/envelopes.controller';
import { EnvelopesService } from './envelopes/envelopes.service';
import { ReplayService } from './envelopes/replay.service';
import { EmissionStatsService } from './envelopes/emission-stats.service';
import { EndpointDispatch } from './dispatch/endpoint-dispatch';
import { EndpointDeliveriesRepository } from './db/endpoint-deliveries.repository';
import { EndpointQueuesRepository } from './db/endpoint-queues.repository';
import { EndpointReplaysRepository } from './db/endpoint-replays.repository';
import { EndpointsRepository } from './db/endpoints.repository';
import { EndpointBacklog } from './endpoints/endpoint-backlog';
import { EndpointDeliveriesService } from './endpoints/endpoint-deliveries.service';
import { EndpointEncryption } from './endpoints/endpoint-encryption';
import { EndpointHealth } from './endpoints/endpoint-health';
import { EndpointOutcomes } from './endpoints/endpoint-outcomes';
import { EndpointReplays } from './endpoints/endpoint-replays.service';
import { EndpointRequests } from './endpoints/endpoint-requests';
import { EndpointSender } from './endpoints/endpoint-sender';
import { EndpointTests } from './endpoints/endpoint-tests.service';
import { EndpointsController } from './endpoints/endpoints.controller';
import { EndpointsService } from './endpoints/endpoints.service';
import { NatsDelivery } from './endpoints/nats-delivery';
import { NatsReceivers } from './endpoints/nats-receivers';
import { NatsReceiversController } from './endpoints/nats-receivers.controller';
import { NatsTransport } from './endpoints/nats-transport';
import { EventBusConfig } from './event-bus.config';
import { PlatformEmissions } from './platform/platform-emissions.service';
import { PlatformEventWatcher } from './platform/platform-event-watcher';
import { PlatformEventsController } from './platform/platform-events.controller';
import { EmissionRetention } from './retention/emission-retention';
import { PayloadSchemas } from './schemas/payload-schemas';
import { SubscriptionsController } from './subscriptions/subscriptions.controller';
import { SubscriptionsService } from './subscriptions/subscriptions.service';

@Module({
  imports: [ServiceModule.forService({ name: 'event-bus', config: EventBusConfig, database: true, tables })],
  controllers: [
    KeyLimitsController,
    SpacePoliciesController,
    causesController(EventBusCauseCalls, emissionCauses),
    activityController(EventBusActivityCalls, EmissionActivity),
    platformEventsController(EventBusPlatformEvents),
    ApplicationsController,
    SubscriptionsController,
    EmissionsController,
    EnvelopesController,
    EndpointsController,
    NatsReceiversController,
    PlatformEventsController,
  ],
  providers: [
    { provide: KeyLimitsCache, useFactory: (bus: Bus) => new KeyLimitsCache(bus), inject: [Bus] },
    oversizedNotices(
      'event-bus',
      { table: 'subscriptions', name: 'subscription' },
      { table: 'applications', name: 'application' },
      { table: 'registered_events', name: 'event' },
    ),
    {
      provide: Egress,
      useFactory: (config: EventBusConfig, metrics: Metrics, payerCache: PayerCache) =>
        Egress.configured(config, metrics, payerCache),
      inject: [EventBusConfig, Metrics, PayerCache],
    },
    EmissionActivity,
    EndpointBacklog,
    EndpointDeliveriesRepository,
    EndpointDeliveriesService,
    EndpointDispatch,
    EndpointEncryption,
    EndpointHealth,
    EndpointQueuesRepository,
    EndpointOutcomes,
    EndpointReplays,
    EndpointReplaysRepository,
    EndpointRequests,
    EndpointSender,
    EndpointTests,
    EndpointsRepository,
    EndpointsService,
    NatsDelivery,
    NatsReceivers,
    NatsTransport,
    ApplicationChangesRepository,
    ApplicationsRepository,
    ApplicationsService,
    SecurityEventRecorder,
    ApplicationChangeLock,
    UnfinishedChangeRecovery,
    RemoteResources,
    DataEmissionsService,
    ManifestDeclarations,
    DeliveriesRepository,
    DeliveryResultsService,
    Dispatcher,
    EmissionValidator,
    EmissionRecorder,
    EmissionRetention,
    EmissionsRepository,
    EmissionsService,
    EnvelopesRepository,
    EnvelopesService,
    ShardDispatcher,
    EmissionRetentionRepository,
    SubscriptionMatcher,
    PayloadSchemas,
    PlatformApplicationRepository,
    PlatformEmissions,
    PlatformEventWatcher,
    RegisteredEventsRepository,
    RegisteredEventsService,
    RegistrationsRepository,
    ReplayService,
    RootBudgetsRepository,
    SpaceBacklogQuota,
    EmissionStatsRepository,
    EmissionStatsService,
    SubscriptionIndexes,
    SubscriptionsRepository,
    SubscriptionsService,
    ApplicationKeyClient,
    Uninstaller,
    WaitingEmissionsRepository,
  ],
})
export class EventBusModule {}
