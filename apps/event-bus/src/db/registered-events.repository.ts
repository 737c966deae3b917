import { Injectable } from '@nestjs/common';
import {
  type EmitOn,
  type ListRegisteredEvents,
  type ManifestEvent,
  type RegisteredEventView,
  shownOversized,
} from '@switchyard/contracts';
import type { PageWindow, RowOf, Tx } from '@switchyard/database';
import { type JsonObject, fingerprint, uncheckedFormats } from '@switchyard/kernel';
import { platformEventNamed } from '../domain/platform-application';
import { isPlatformId, platformApplicationId } from '../domain/platform-ids';
import type { FieldTypes } from '../domain/check-row-filters';
import { registeredEvents } from './tables';

export interface EventName {
  id: string;
  appIdentifier: string;
  name: string;
  emitOn: EmitOn | null;
  active: boolean;
}

const viewOf = (row: RowOf<typeof registeredEvents>): RegisteredEventView => ({
  id: row.id,
  applicationId: row.applicationId,
  appIdentifier: row.appIdentifier,
  name: row.name,
  description: row.description,
  schema: row.schema,
  ...(isPlatformId(row.id) ? platformEventNamed(row.name) : undefined),
  emitOn: row.emitOn,
  active: row.active,
  ...shownUnchecked(uncheckedFormats(row.schema)),
  ...shownOversized(row.oversized),
});

const shownUnchecked = (paths: string[]): Pick<RegisteredEventView, 'uncheckedFormats'> =>
  paths.length > 0 ? { uncheckedFormats: paths } : {};

const nameOf = ({ id, appIdentifier, name, emitOn, active }: EventName): EventName => ({
  id,
  appIdentifier,
  name,
  emitOn,
  active,
});

/** Without the schemas, which may be long. */
const names = (tx: Tx) => tx.rows(registeredEvents).only('id', 'appIdentifier', 'name', 'emitOn', 'active');

/**
 * The events that applications declare. A row stays when its event is unregistered, for the subscriptions that sleep.
 */
@Injectable()
export class RegisteredEventsRepository {
  async list(
    tx: Tx,
    spaceId: string,
    { appIdentifier, name, platform }: ListRegisteredEvents,
    window: PageWindow<string>,
  ): Promise<{ rows: RegisteredEventView[]; found: number }> {
    const query = { spaceId, active: true, appIdentifier, name };
    const { rows, found } = await tx
      .rows(registeredEvents)
      .listLight(['schema', 'emitOn'], query, window, [
        platform === false && ['row.applicationId <> :platform', { platform: platformApplicationId(spaceId) }],
      ]);
    return { rows: rows.map(viewOf), found };
  }

  /** A registered event by its id, or by application and name. */
  async findActive(
    tx: Tx,
    spaceId: string,
    by: { id: string } | { appIdentifier: string; name: string },
  ): Promise<EventName | null> {
    const row = await names(tx).find({ spaceId, active: true, ...by });
    return row && nameOf(row);
  }

  /** Active events of this name, of all applications or one; more than one is enough to know. */
  activeSchemas(
    tx: Tx,
    spaceId: string,
    { name, appIdentifier }: { name: string; appIdentifier: string | undefined },
  ): Promise<{ schema: JsonObject }[]> {
    return tx.query(
      `select schema from registered_events where space_id = $1 and name = $2 and active
          and ($3::text is null or app_identifier = $3) limit 2`,
      [spaceId, name, appIdentifier],
    );
  }

  /** Whether it is active still; it stays so until the transaction ends, with its subscriptions locked. */
  async holdActive(tx: Tx, spaceId: string, id: string): Promise<boolean> {
    return (await names(tx).lockForChange({ spaceId, id, active: true })) !== null;
  }

  /** By what its schemas are known, of those that are stored. */
  async schemasOf(tx: Tx, spaceId: string, appIdentifier: string): Promise<Set<string>> {
    const rows = await tx.query<{ schemaFingerprint: string }>(
      'select schema_fingerprint from registered_events where space_id = $1 and app_identifier = $2 and active',
      [spaceId, appIdentifier],
    );
    return new Set(rows.map(({ schemaFingerprint }) => schemaFingerprint));
  }

  /** Every event that this application has ever declared. */
  async ofApplication(tx: Tx, spaceId: string, appIdentifier: string): Promise<EventName[]> {
    return (await names(tx).lockAll({ spaceId, appIdentifier })).map(nameOf);
  }

  async register(
    tx: Tx,
    spaceId: string,
    owner: { applicationId: string; identifier: string },
    { id, event, types }: { id: string; event: ManifestEvent; types: FieldTypes | undefined },
  ): Promise<void> {
    await tx.rows(registeredEvents).put(
      {
        spaceId,
        id,
        applicationId: owner.applicationId,
        appIdentifier: owner.identifier,
        name: event.name,
        description: event.description ?? null,
        schema: event.schema,
        schemaFingerprint: fingerprint(event.schema),
        emitOn: event.emitOn ?? null,
        emitDataset: event.emitOn?.dataset ?? null,
        emitTypes: types ?? null,
        active: true,
        updatedAt: () => 'clock_timestamp()',
      },
      ['spaceId', 'appIdentifier', 'name'],
    );
  }

  async unregister(tx: Tx, spaceId: string, ids: readonly string[]): Promise<void> {
    await tx.run(
      `update registered_events set active = false, application_id = null, updated_at = clock_timestamp()
        where space_id = $1 and id = any($2::uuid[])`,
      [spaceId, ids],
    );
  }
}
