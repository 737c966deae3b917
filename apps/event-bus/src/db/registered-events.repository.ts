import { Injectable } from '@nestjs/common';
import type { EmitOn, ListRegisteredEvents, ManifestEvent, RegisteredEventView } from '@switchyard/contracts';
import type { PageWindow, Tx } from '@switchyard/database';
import { fingerprint } from '@switchyard/kernel';
import type { FieldTypes } from '../domain/watched-fields';

export interface EventName {
  id: string;
  appIdentifier: string;
  name: string;
  emitOn: EmitOn | null;
  active: boolean;
}

const VIEW = 'id, application_id, app_identifier, name, description, schema, emit_on, active';

/** The events that applications declare. A row stays when its event is unregistered, for the subscriptions that sleep. */
@Injectable()
export class RegisteredEventsRepository {
  list(
    tx: Tx,
    spaceId: string,
    filter: ListRegisteredEvents,
    { after, take }: PageWindow<string>,
  ): Promise<RegisteredEventView[]> {
    return tx.query<RegisteredEventView>(
      `select ${VIEW} from registered_events
        where space_id = $1 and active and ($2::uuid is null or id < $2)
          and ($3::text is null or app_identifier = $3) and ($4::text is null or name = $4)
        order by id desc limit $5`,
      [spaceId, after, filter.appIdentifier, filter.name, take],
    );
  }

  /** A registered event by its id, or by application and name. */
  findActive(
    tx: Tx,
    spaceId: string,
    by: { id?: string; appIdentifier?: string; name?: string },
  ): Promise<EventName | null> {
    return tx.one<EventName>(
      `select id, app_identifier, name, emit_on, active from registered_events
        where space_id = $1 and active and ($2::uuid is null or id = $2)
          and ($3::text is null or app_identifier = $3) and ($4::text is null or name = $4)`,
      [spaceId, by.id, by.appIdentifier, by.name],
    );
  }

  /** Whether it is active still; it stays so until the transaction ends, and nobody else changes its subscriptions. */
  async holdActive(tx: Tx, spaceId: string, id: string): Promise<boolean> {
    const sql = 'select 1 from registered_events where space_id = $1 and id = $2 and active for no key update';
    return (await tx.one(sql, [spaceId, id])) !== null;
  }

  /** Every event that this application has ever declared. */
  ofApplication(tx: Tx, spaceId: string, appIdentifier: string): Promise<EventName[]> {
    return tx.query<EventName>(
      'select id, app_identifier, name, emit_on, active from registered_events where space_id = $1 and app_identifier = $2 order by id for update',
      [spaceId, appIdentifier],
    );
  }

  async register(
    tx: Tx,
    spaceId: string,
    owner: { applicationId: string; identifier: string },
    { id, event, types }: { id: string; event: ManifestEvent; types: FieldTypes | undefined },
  ): Promise<void> {
    await tx.run(
      `insert into registered_events (space_id, id, application_id, app_identifier, name, description, schema, schema_fingerprint, emit_on,
                                      emit_dataset, emit_types, active)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, true)
       on conflict (space_id, app_identifier, name) do update
          set application_id = excluded.application_id, description = excluded.description, schema = excluded.schema,
              schema_fingerprint = excluded.schema_fingerprint, emit_on = excluded.emit_on, emit_dataset = excluded.emit_dataset,
              emit_types = excluded.emit_types, active = true, updated_at = clock_timestamp()`,
      [
        spaceId,
        id,
        owner.applicationId,
        owner.identifier,
        event.name,
        event.description ?? null,
        JSON.stringify(event.schema),
        fingerprint(event.schema),
        event.emitOn ? JSON.stringify(event.emitOn) : null,
        event.emitOn?.dataset ?? null,
        types ? JSON.stringify(types) : null,
      ],
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
