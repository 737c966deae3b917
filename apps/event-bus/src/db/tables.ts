import type { EmitOn, Manifest, Oversized } from '@switchyard/contracts';
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
    taskId: uuid(),
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
    },
    checks: { subscriptions_origin_check: `origin in ('DEFAULT', 'USER')` },
    references: [{ columns: ['spaceId', 'eventId'], table: 'registered_events', foreign: ['spaceId', 'id'] }],
  },
);

/**
 * Emissions, their deliveries and the notes of changes are written and claimed in bulk: their SQL is in their files.
 */
export const tables = [applications, registeredEvents, subscriptions];
