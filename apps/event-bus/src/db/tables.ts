import type { EmitOn, EndpointStatus, EndpointTransport, Manifest, Oversized } from '@switchyard/contracts';
import { column, defineTable } from '@switchyard/database';
import type { JsonObject } from '@switchyard/kernel';
import type { FieldTypes } from '../domain/check-row-filters';

const { filled, flag, int, json, nullable, savedAt, tenantKey, text, time, uuid } = column;
const NOW = 'clock_timestamp()';

export const applications = defineTable(
  'applications',
  {
    ...tenantKey,
    identifier: text(),
    name: text(),
    version: text(),
    manifest: json<Manifest>(),
    revision: filled(int(), 1),
    systemKeyId: nullable(uuid()),
    installedBy: nullable(uuid()),
    createdAt: filled(time(), NOW),
    updatedAt: savedAt(NOW),
    /** Kept by a trigger: that it is over its limit. */
    oversized: filled(nullable(json<Oversized[]>())),
  },
  { uniques: [['spaceId', 'identifier']] },
);

/** A row outlives its application: the same name registered again is the same event, and its subscriptions wake. */
export const registeredEvents = defineTable(
  'registered_events',
  {
    ...tenantKey,
    applicationId: nullable(uuid()),
    appIdentifier: text(),
    name: text(),
    description: nullable(text()),
    schema: json<JsonObject>(),
    schemaFingerprint: text(),
    emitOn: nullable(json<EmitOn>()),
    emitDataset: nullable(uuid()),
    active: flag(),
    subscriptionsRevision: filled(int(), 0),
    createdAt: filled(time(), NOW),
    updatedAt: savedAt(NOW),
    /** Null for an event that was registered before they were kept. */
    emitTypes: nullable(json<FieldTypes>()),
    /** Kept by a trigger: that it is over its limit. */
    oversized: filled(nullable(json<Oversized[]>())),
  },
  {
    uniques: [['spaceId', 'appIdentifier', 'name']],
    indexes: {
      registered_events_dataset: {
        columns: ['spaceId', 'emitDataset'],
        where: 'active and emit_dataset is not null',
      },
    },
  },
);

export const subscriptions = defineTable(
  'subscriptions',
  {
    ...tenantKey,
    eventId: uuid(),
    /** One of the two is null. */
    taskId: nullable(uuid()),
    endpointId: filled(nullable(uuid())),
    filter: nullable(json<JsonObject>()),
    active: flag(),
    origin: text<'DEFAULT' | 'USER'>(),
    defaultKey: nullable(text()),
    bringsTask: filled(flag(), 'false'),
    /** Kept by a trigger: that its filter is over its limit. */
    oversized: filled(nullable(json<Oversized[]>())),
    createdBy: nullable(uuid()),
    createdAt: filled(time(), NOW),
    updatedAt: savedAt(NOW),
  },
  {
    indexes: {
      subscriptions_event: { columns: ['spaceId', 'eventId'] },
      subscriptions_task: { columns: ['spaceId', 'taskId'] },
      subscriptions_endpoint: { columns: ['spaceId', 'endpointId'], where: 'endpoint_id is not null' },
    },
    checks: {
      subscriptions_origin_check: `origin in ('DEFAULT', 'USER')`,
      subscriptions_target_check: 'num_nonnulls(task_id, endpoint_id) = 1',
    },
    references: [{ columns: ['spaceId', 'eventId'], table: 'registered_events', foreign: ['spaceId', 'id'] }],
  },
);

export const endpoints = defineTable(
  'endpoints',
  {
    ...tenantKey,
    name: text(),
    transport: filled(text<EndpointTransport>(), `'http'`),
    url: nullable(text()),
    /** Sealed JSON. */
    headers: nullable(text()),
    /** Of the Space's secrets, those that its headers name. */
    secretNames: filled(json<string[]>(), `'[]'`),
    inFlight: int(),
    active: flag(),
    status: filled(text<EndpointStatus>(), `'HEALTHY'`),
    failingReason: filled(nullable(text())),
    failingSince: filled(nullable(time())),
    lastSuccessAt: filled(nullable(time())),
    /** Of the service's account, over NATS; such an endpoint has no secret. */
    natsAccountId: nullable(text()),
    ackSeconds: nullable(int()),
    /** Without a subscriber: tries without a listener, and when the next one is due. */
    tries: filled(int(), 0),
    nextTryAt: filled(nullable(time())),
    /** Sealed, as is the former one. */
    secret: nullable(text()),
    oldSecret: filled(nullable(text())),
    oldSecretUntil: filled(nullable(time())),
    /** Tests since `testsSince`, which is at most a minute ago. */
    tests: filled(int(), 0),
    testsSince: filled(nullable(time())),
    createdBy: nullable(uuid()),
    createdAt: filled(time(), NOW),
    updatedAt: savedAt(NOW),
  },
  {
    uniques: [['spaceId', 'name']],
    indexes: { endpoints_nats_account: { columns: ['natsAccountId'], where: 'nats_account_id is not null' } },
    checks: {
      endpoints_receiver_check: `case transport when 'http' then num_nonnulls(url, secret) = 2 and nats_account_id is null else num_nonnulls(nats_account_id, ack_seconds) = 2 and url is null end`,
      endpoints_transport_check: `transport in ('http', 'nats')`,
      endpoints_status_check: `status in ('HEALTHY', 'FAILING', 'DISABLED')`,
    },
  },
);

/**
 * Emissions, their deliveries and the notes of changes are written and claimed in bulk: their SQL is in their files.
 */
export const tables = [applications, registeredEvents, subscriptions, endpoints];
