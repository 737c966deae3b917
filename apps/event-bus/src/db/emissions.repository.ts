import { Injectable } from '@nestjs/common';
import type { EmissionStatus } from '@switchyard/contracts';
import { type Database, type Tx, shortTimeouts } from '@switchyard/database';
import type { CheckedEmission, NewEmission } from '../domain/new-emission';

export interface RecordedEmission {
  id: string;
  appIdentifier: string;
  event: string;
  idempotencyKey: string;
  fingerprint: string | null;
  status: EmissionStatus;
}

const INSERT = `insert into emissions (space_id, id, lane, app_identifier, event, event_id, payload, source, status, error, idempotency_key,
                              fingerprint, actor_user_id, causation_id, correlation_id, depth, emitted_at, payload_bytes, parent, root, audience,
                              traceparent, attempts, dispatched_at)
       select r."spaceId", r.id, r.lane, r."appIdentifier", r.event, r."eventId", r.payload, r.source, r.status, r.error,
              r."idempotencyKey", r.fingerprint, r."actorUserId", r."causationId", r."correlationId", r.depth,
              r."emittedAt", r.bytes, r.parent, r.root, r.audience, r.traceparent,
              (r.status = 'DISPATCHED')::int, case when r.status = 'DISPATCHED' then clock_timestamp() end`;
/** Read as rows: to look each field up in its object by name takes longer than to write the row. */
const ROWS = `from jsonb_to_recordset($1::jsonb) as r ("spaceId" uuid, id uuid, lane smallint, "appIdentifier" text, event text,
              "eventId" uuid, payload jsonb, source text, status text, error jsonb, "idempotencyKey" text, fingerprint text,
              "actorUserId" uuid, "causationId" uuid, "correlationId" uuid, depth int, "emittedAt" timestamptz, bytes int,
              parent text, root uuid, audience uuid, traceparent text, "applicationId" uuid, "schemaFingerprint" text, "subscriptionsRevision" int)`;
/** Neither for one key twice, nor for one call that came twice. */
const ONCE = 'on conflict do nothing returning id';

/**
 * The record of emissions: written before anything is dispatched, never written twice for one key.
 * Hot path: SQL on `pg`, prepared by name where every emission takes it.
 */
@Injectable()
export class EmissionsRepository {
  /** Returns the ids of those that were recorded; the others have a key that is taken, or are there already. */
  async record(tx: Tx, emissions: readonly NewEmission[]): Promise<Set<string>> {
    const rows = await tx.prepared<{ id: string }>('record-emissions', `${INSERT} ${ROWS} ${ONCE}`, [
      JSON.stringify(emissions),
    ]);
    return new Set(rows.map((row) => row.id));
  }

  /**
   * As `record`, for emissions of any Spaces that were checked against registrations as they were known: one statement,
   * and only what fits the registration of its own Space at this moment.
   */
  async recordFast(database: Database, emissions: readonly CheckedEmission[]): Promise<ReadonlySet<unknown>> {
    const [, rows = []] = await database.systemWrite('record emissions of several Spaces', [
      shortTimeouts,
      {
        name: 'record-known-emissions',
        sql: `${INSERT} ${ROWS}
              join registered_events e on e.space_id = r."spaceId" and e.id = r."eventId" and e.active
               and e.application_id = r."applicationId" and e.schema_fingerprint = r."schemaFingerprint"
               and (r."subscriptionsRevision" is null or e.subscriptions_revision = r."subscriptionsRevision")
              join applications a on a.space_id = r."spaceId" and a.id = r."applicationId"
              on conflict do nothing returning emissions.id`,
        params: [JSON.stringify(emissions)],
      },
    ]);
    return new Set(rows.map(({ id }) => id));
  }

  /** Those of them that are there already. */
  existing(
    tx: Tx,
    spaceId: string,
    emissions: readonly NewEmission[],
  ): Promise<Pick<RecordedEmission, 'id' | 'status'>[]> {
    return tx.prepared('emissions-known', 'select id, status from emissions where space_id = $1 and id = any($2)', [
      spaceId,
      emissions.map(({ id }) => id),
    ]);
  }

  /** The emissions that hold these keys. */
  holding(tx: Tx, spaceId: string, emissions: readonly NewEmission[]): Promise<RecordedEmission[]> {
    return tx.prepared<RecordedEmission>(
      'emissions-holding-keys',
      `select m.id, m.app_identifier, m.event, m.idempotency_key, m.fingerprint, m.status
         from unnest($2::text[], $3::text[], $4::text[]) as wanted (app_identifier, event, idempotency_key)
         join emissions m on m.space_id = $1 and m.app_identifier = wanted.app_identifier
          and m.event = wanted.event and m.idempotency_key = wanted.idempotency_key`,
      [
        spaceId,
        emissions.map((emission) => emission.appIdentifier),
        emissions.map((emission) => emission.event),
        emissions.map((emission) => emission.idempotencyKey),
      ],
    );
  }
}
