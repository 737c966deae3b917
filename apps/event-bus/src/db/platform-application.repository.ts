import { Injectable } from '@nestjs/common';
import { CONTRACTS_VERSION, PLATFORM_APPLICATION, PLATFORM_APPLICATION_ELSE } from '@switchyard/contracts';
import type { Tx } from '@switchyard/database';
import { PLATFORM_TABLE, platformEvents } from '../domain/platform-application';
import { platformApplicationId, platformEventId } from '../domain/platform-ids';

export interface PlatformRegistration {
  eventId: string;
  appIdentifier: string;
  subscriptionsRevision: number;
  hasSubscriptions: boolean;
}

/**
 * The application `switchyard` of a Space. Its rows are written when it is first read; descriptions and schemas are not
 * stored, because they are the same in every Space.
 */
@Injectable()
export class PlatformApplicationRepository {
  async ensure(tx: Tx, spaceId: string): Promise<void> {
    const id = platformApplicationId(spaceId);
    const stored = await tx.one<{ platformTable: string }>(
      `select manifest->>'platformTable' as platform_table from applications where space_id = $1 and id = $2`,
      [spaceId, id],
    );
    if (stored?.platformTable === PLATFORM_TABLE) return;
    const identifier = await this.add(tx, spaceId, id);
    await tx.run(
      `insert into registered_events (space_id, id, application_id, app_identifier, name, schema, schema_fingerprint, active)
       select $1, event.id, $2, $3, event.name, '{}', '', true from unnest($4::uuid[], $5::text[]) as event (id, name)
       on conflict do nothing`,
      [
        spaceId,
        id,
        identifier,
        platformEvents.map(({ name }) => platformEventId(spaceId, name)),
        platformEvents.map(({ name }) => name),
      ],
    );
  }

  /** Where another application has or had the identifier, it keeps it. */
  private async add(tx: Tx, spaceId: string, id: string): Promise<string> {
    const row = await tx.one<{ identifier: string }>(
      `insert into applications (space_id, id, identifier, name, version, manifest)
       select $1, $2, case when exists (select 1 from applications a where a.space_id = $1 and a.identifier = $3 and a.id <> $2)
                             or exists (select 1 from registered_events e
                                         where e.space_id = $1 and e.app_identifier = $3 and e.application_id is distinct from $2)
                      then $4 else $3 end, 'Switchyard', $5, jsonb_build_object('platformTable', $6::text)
       on conflict (space_id, id) do update set manifest = excluded.manifest, version = excluded.version
       returning identifier`,
      [spaceId, id, PLATFORM_APPLICATION, PLATFORM_APPLICATION_ELSE, `0.${CONTRACTS_VERSION}.0`, PLATFORM_TABLE],
    );
    return row?.identifier ?? PLATFORM_APPLICATION;
  }

  /** Null while the Space has never subscribed. */
  find(tx: Tx, spaceId: string, event: string): Promise<PlatformRegistration | null> {
    return tx.one<PlatformRegistration>(
      `select e.id as event_id, e.app_identifier, e.subscriptions_revision,
              exists (select 1 from subscriptions s where s.space_id = $1 and s.event_id = e.id and s.active) as has_subscriptions
         from registered_events e where e.space_id = $1 and e.id = $2`,
      [spaceId, platformEventId(spaceId, event)],
    );
  }
}
