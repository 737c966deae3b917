import { Injectable } from '@nestjs/common';
import type { DataOperation, EmitOn } from '@switchyard/contracts';
import type { Tx } from '@switchyard/database';
import type { JsonObject } from '@switchyard/kernel';
import type { Registration } from '../domain/emission-admission';
import type { FieldTypes } from '../domain/check-row-filters';

export interface RegisteredName {
  appIdentifier: string;
  event: string;
}

export interface FoundRegistration extends Registration, RegisteredName {
  schemaFingerprint: string;
  /** Rises with each change of the event's subscriptions. */
  subscriptionsRevision: number | null;
  hasSubscriptions: boolean;
}

export interface WatchingEvent {
  id: string;
  appIdentifier: string;
  name: string;
  schemaFingerprint: string;
  emitOn: EmitOn;
  /** Null for an event that was registered before they were kept. */
  emitTypes: FieldTypes | null;
}

/** Data of installed applications that emissions need. */
@Injectable()
export class RegistrationsRepository {
  /** One row per name that was asked for, in any order; what is not there has null ids. */
  find(tx: Tx, spaceId: string, names: readonly RegisteredName[]): Promise<FoundRegistration[]> {
    return tx.prepared<FoundRegistration>(
      'find-registrations',
      `select wanted.app_identifier, wanted.event, a.id as application_id, e.id as event_id,
              coalesce(e.schema_fingerprint, '') as schema_fingerprint, e.subscriptions_revision,
              exists (select 1 from subscriptions s
                       where s.space_id = $1 and s.event_id = e.id and s.active) as has_subscriptions
         from unnest($2::text[], $3::text[]) as wanted (app_identifier, event)
         left join applications a on a.space_id = $1 and a.identifier = wanted.app_identifier
         left join registered_events e
           on e.space_id = $1 and e.app_identifier = wanted.app_identifier and e.name = wanted.event and e.active`,
      [spaceId, names.map((name) => name.appIdentifier), names.map((name) => name.event)],
    );
  }

  async schemaOf(tx: Tx, spaceId: string, eventId: string): Promise<JsonObject> {
    const row = await tx.one<{ schema: JsonObject }>(
      'select schema from registered_events where space_id = $1 and id = $2',
      [spaceId, eventId],
    );
    return row?.schema ?? {};
  }

  watching(tx: Tx, spaceId: string, datasetId: string, operation: DataOperation): Promise<WatchingEvent[]> {
    return tx.prepared<WatchingEvent>(
      'find-watching-events',
      `select id, app_identifier, name, schema_fingerprint, emit_on, emit_types
         from registered_events
        where space_id = $1 and active and emit_dataset = $2 and emit_on->'operations' ? $3
        order by id`,
      [spaceId, datasetId, operation],
    );
  }
}
