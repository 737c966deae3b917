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
    callers: ['gateway'],
    errors: ['CONFLICT', 'NOT_FOUND', 'FORBIDDEN', 'IDEMPOTENCY_CONFLICT', 'REQUEST_IN_PROGRESS'],
  }),
  listApplications: defineCall({
    subject: 'event-bus.list-applications',
    request: ListApplications,
    reply: pageOf(ApplicationView),
    callers: ['gateway'],
  }),
  getApplication: defineCall({
    subject: 'event-bus.get-application',
    request: ById,
    reply: ApplicationView,
    callers: ['gateway'],
    errors: ['NOT_FOUND'],
  }),
  upgrade: defineCall({
    subject: 'event-bus.upgrade',
    request: UpgradeApplication,
    reply: ApplicationView,
    callers: ['gateway'],
    errors: ['NOT_FOUND', 'FORBIDDEN', 'CONFLICT', 'REQUEST_IN_PROGRESS'],
  }),
  uninstall: defineCall({
    subject: 'event-bus.uninstall',
    request: ById,
    reply: Deleted,
    callers: ['gateway'],
    errors: ['NOT_FOUND', 'CONFLICT', 'REQUEST_IN_PROGRESS'],
  }),
  rotateKey: defineCall({
    subject: 'event-bus.rotate-key',
    request: ById,
    reply: ApplicationWithKey,
    callers: ['gateway'],
    errors: ['NOT_FOUND', 'IDEMPOTENCY_CONFLICT', 'REQUEST_IN_PROGRESS'],
  }),
  listRegisteredEvents: defineCall({
    subject: 'event-bus.list-registered-events',
    request: ListRegisteredEvents,
    reply: pageOf(RegisteredEventView),
    callers: ['gateway', 'agent', 'task'],
  }),
  createSubscription: defineCall({
    subject: 'event-bus.create-subscription',
    request: CreateSubscription,
    reply: SubscriptionView,
    callers: ['gateway'],
    errors: [
      'NOT_FOUND',
      'APPLICATION_NOT_INSTALLED',
      'EVENT_NOT_REGISTERED',
      'CONFLICT',
      'IDEMPOTENCY_CONFLICT',
      'REQUEST_IN_PROGRESS',
    ],
  }),
  listSubscriptions: defineCall({
    subject: 'event-bus.list-subscriptions',
    request: ListSubscriptions,
    reply: pageOf(SubscriptionView),
    callers: ['gateway'],
  }),
  getSubscription: defineCall({
    subject: 'event-bus.get-subscription',
    request: ById,
    reply: SubscriptionView,
    callers: ['gateway'],
    errors: ['NOT_FOUND'],
  }),
  updateSubscription: defineCall({
    subject: 'event-bus.update-subscription',
    request: UpdateSubscription,
    reply: SubscriptionView,
    callers: ['gateway'],
    errors: ['NOT_FOUND', 'CONFLICT'],
  }),
  deleteSubscription: defineCall({
    subject: 'event-bus.delete-subscription',
    request: ById,
    reply: Deleted,
    callers: ['gateway'],
    errors: ['NOT_FOUND'],
  }),
  /** From outside, with an application's system key. Goes through while NATS is away. */
  emit: defineCall({
    subject: 'event-bus.emit',
    request: EmitEvent,
    reply: Emitted,
    callers: ['gateway'],
    errors: [
      'FORBIDDEN',
      'APPLICATION_NOT_INSTALLED',
      'EVENT_NOT_REGISTERED',
      'EVENT_PAYLOAD_INVALID',
      'PAYLOAD_TOO_LARGE',
      'IDEMPOTENCY_CONFLICT',
      'RATE_LIMITED',
    ],
    offline: true,
  }),
  /** By somebody who may, in the name of the application. Begins a chain of its own. */
  emitByHand: defineCall({
    subject: 'event-bus.emit-by-hand',
    request: EmitByHand,
    reply: Emitted,
    callers: ['gateway'],
    errors: [
      'NOT_FOUND',
      'APPLICATION_NOT_INSTALLED',
      'EVENT_NOT_REGISTERED',
      'EVENT_PAYLOAD_INVALID',
      'PAYLOAD_TOO_LARGE',
      'IDEMPOTENCY_CONFLICT',
      'RATE_LIMITED',
    ],
  }),
  /** From a task's step or an agent's tool, with the run's own context: the emission is one deeper than the run. */
  emitFromRun: defineCall({
    subject: 'event-bus.emit-from-run',
    request: EmitEvent,
    reply: Emitted,
    callers: ['task', 'agent'],
    errors: [
      'APPLICATION_NOT_INSTALLED',
      'EVENT_NOT_REGISTERED',
      'EVENT_PAYLOAD_INVALID',
      'PAYLOAD_TOO_LARGE',
      'IDEMPOTENCY_CONFLICT',
      'RATE_LIMITED',
    ],
  }),
  listEnvelopes: defineCall({
    subject: 'event-bus.list-envelopes',
    request: ListEnvelopes,
    reply: pageOf(EnvelopeView),
    callers: ['gateway'],
  }),
  getEnvelope: defineCall({
    subject: 'event-bus.get-envelope',
    request: ById,
    reply: EnvelopeDetails,
    callers: ['gateway'],
    errors: ['NOT_FOUND'],
  }),
  replay: defineCall({
    subject: 'event-bus.replay',
    request: ById,
    reply: Replayed,
    callers: ['gateway'],
    errors: ['NOT_FOUND', 'IDEMPOTENCY_CONFLICT', 'REQUEST_IN_PROGRESS', 'RATE_LIMITED'],
  }),
  stats: defineCall({
    subject: 'event-bus.stats',
    request: EventStatsRequest,
    reply: EventStats,
    callers: ['gateway'],
  }),
};
