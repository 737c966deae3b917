import { defineCall } from '../define/contracts';
import { ById, Deleted, pageOf } from '../define/shapes';
import {
  ApplicationView,
  ApplicationWithKey,
  InstallApplication,
  ListApplications,
  UpgradeApplication,
} from './applications';
import { Emitted, EmitByHand, EmitEvent } from './emissions';
import { EnvelopeDetails, EnvelopeView, ListEnvelopes, Replayed } from './envelopes';
import { ListRegisteredEvents, RegisteredEventView } from './registered-events';
import { EventStats, EventStatsRequest } from './stats';
import { CreateSubscription, ListSubscriptions, SubscriptionView, UpdateSubscription } from './subscriptions';

export const EventBusCalls = {
  install: defineCall({
    subject: 'event-bus.install',
    request: InstallApplication,
    reply: ApplicationWithKey,
    idempotent: true,
    access: { scope: 'events:write', role: 'ADMIN' },
    callers: ['gateway'],
    errors: ['CONFLICT', 'NOT_FOUND'],
  }),
  listApplications: defineCall({
    subject: 'event-bus.list-applications',
    request: ListApplications,
    reply: pageOf(ApplicationView),
    access: { scope: 'events:read' },
    callers: ['gateway'],
  }),
  getApplication: defineCall({
    subject: 'event-bus.get-application',
    request: ById,
    reply: ApplicationView,
    access: { scope: 'events:read' },
    callers: ['gateway'],
    errors: ['NOT_FOUND'],
  }),
  upgrade: defineCall({
    subject: 'event-bus.upgrade',
    request: UpgradeApplication,
    reply: ApplicationView,
    access: { scope: 'events:write', role: 'ADMIN' },
    callers: ['gateway'],
    errors: ['NOT_FOUND', 'CONFLICT', 'REQUEST_IN_PROGRESS'],
  }),
  uninstall: defineCall({
    subject: 'event-bus.uninstall',
    request: ById,
    reply: Deleted,
    access: { scope: 'events:write', role: 'ADMIN' },
    callers: ['gateway'],
    errors: ['NOT_FOUND', 'CONFLICT', 'REQUEST_IN_PROGRESS'],
  }),
  rotateKey: defineCall({
    subject: 'event-bus.rotate-key',
    request: ById,
    reply: ApplicationWithKey,
    idempotent: true,
    access: { scope: 'events:write', role: 'ADMIN' },
    callers: ['gateway'],
    errors: ['NOT_FOUND'],
  }),
  listRegisteredEvents: defineCall({
    subject: 'event-bus.list-registered-events',
    request: ListRegisteredEvents,
    reply: pageOf(RegisteredEventView),
    access: { scope: 'events:read' },
    callers: ['gateway'],
  }),
  createSubscription: defineCall({
    subject: 'event-bus.create-subscription',
    request: CreateSubscription,
    reply: SubscriptionView,
    idempotent: true,
    access: { scope: 'events:write', role: 'MEMBER' },
    callers: ['gateway'],
    errors: ['NOT_FOUND', 'APPLICATION_NOT_INSTALLED', 'EVENT_NOT_REGISTERED', 'CONFLICT'],
  }),
  listSubscriptions: defineCall({
    subject: 'event-bus.list-subscriptions',
    request: ListSubscriptions,
    reply: pageOf(SubscriptionView),
    access: { scope: 'events:read' },
    callers: ['gateway'],
  }),
  getSubscription: defineCall({
    subject: 'event-bus.get-subscription',
    request: ById,
    reply: SubscriptionView,
    access: { scope: 'events:read' },
    callers: ['gateway'],
    errors: ['NOT_FOUND'],
  }),
  updateSubscription: defineCall({
    subject: 'event-bus.update-subscription',
    request: UpdateSubscription,
    reply: SubscriptionView,
    access: { scope: 'events:write', role: 'MEMBER' },
    callers: ['gateway'],
    errors: ['NOT_FOUND', 'CONFLICT'],
  }),
  deleteSubscription: defineCall({
    subject: 'event-bus.delete-subscription',
    request: ById,
    reply: Deleted,
    access: { scope: 'events:write', role: 'MEMBER' },
    callers: ['gateway'],
    errors: ['NOT_FOUND'],
  }),
  /** From outside, with an application's system key. Goes through while NATS is away. */
  emit: defineCall({
    subject: 'event-bus.emit',
    request: EmitEvent,
    reply: Emitted,
    idempotent: 'body',
    access: { scope: 'events:emit', systemKey: 'only' },
    callers: ['gateway'],
    errors: ['APPLICATION_NOT_INSTALLED', 'EVENT_NOT_REGISTERED', 'EVENT_PAYLOAD_INVALID'],
    offline: true,
  }),
  /** By somebody who may, in the name of the application. Begins a chain of its own. */
  emitByHand: defineCall({
    subject: 'event-bus.emit-by-hand',
    request: EmitByHand,
    reply: Emitted,
    idempotent: 'body',
    access: { scope: 'events:write', role: 'ADMIN' },
    callers: ['gateway'],
    errors: ['NOT_FOUND', 'APPLICATION_NOT_INSTALLED', 'EVENT_NOT_REGISTERED', 'EVENT_PAYLOAD_INVALID'],
  }),
  /** From a task's step or an agent's tool, with the run's own context: the emission is one deeper than the run. */
  emitFromRun: defineCall({
    subject: 'event-bus.emit-from-run',
    request: EmitEvent,
    reply: Emitted,
    access: { scope: 'events:emit', role: 'MEMBER' },
    callers: ['task', 'agent'],
    errors: ['APPLICATION_NOT_INSTALLED', 'EVENT_NOT_REGISTERED', 'EVENT_PAYLOAD_INVALID', 'IDEMPOTENCY_CONFLICT'],
  }),
  listEnvelopes: defineCall({
    subject: 'event-bus.list-envelopes',
    request: ListEnvelopes,
    reply: pageOf(EnvelopeView),
    access: { scope: 'events:read' },
    callers: ['gateway'],
  }),
  getEnvelope: defineCall({
    subject: 'event-bus.get-envelope',
    request: ById,
    reply: EnvelopeDetails,
    access: { scope: 'events:read' },
    callers: ['gateway'],
    errors: ['NOT_FOUND'],
  }),
  replay: defineCall({
    subject: 'event-bus.replay',
    request: ById,
    reply: Replayed,
    idempotent: true,
    access: { scope: 'events:write', role: 'MEMBER' },
    callers: ['gateway'],
    errors: ['NOT_FOUND'],
  }),
  stats: defineCall({
    subject: 'event-bus.stats',
    request: EventStatsRequest,
    reply: EventStats,
    access: { scope: 'events:read' },
    callers: ['gateway'],
  }),
};
