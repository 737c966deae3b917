import { Injectable } from '@nestjs/common';
import type { ActorType, EventActor } from '@switchyard/contracts';
import type { JsonObject } from '@switchyard/kernel';
import { newId } from '@switchyard/kernel';
import type { PageWindow, TimePosition, Tx } from '@switchyard/database';

export interface SpaceEvent {
  /** Of an event that may be told more than once. */
  id?: string;
  spaceId: string;
  action: string;
  target: string | null;
  details: JsonObject;
  actor: EventActor;
  actorUserId: string | null;
  credentialId: string | null;
  requestId: string;
}

export type EventOrigin = Pick<SpaceEvent, 'actor' | 'actorUserId' | 'credentialId' | 'requestId'>;

export interface SpaceEventRow extends Omit<SpaceEvent, 'spaceId' | 'id' | 'actor'> {
  id: string;
  at: string;
  /** Null in rows of before. */
  actorType: ActorType | null;
  actorId: string | null;
}

export interface PlatformEventRow extends SpaceEventRow {
  spaceId: string | null;
}

export interface EventFilter {
  action?: string | undefined;
  /** The id of an actor, or a type without one. */
  actor?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

export interface EventQuery extends EventFilter {
  spaceId?: string | undefined;
}

/** Of no Space; `userId` is the account that it is about. */
export interface AccountEvent extends Omit<SpaceEvent, 'spaceId' | 'id' | 'actorUserId'> {
  userId: string | null;
}

/** The conditions for an actor (`$7`), one for each index: rows of before have a person alone, or neither. */
function partsOf(actor: string | undefined): { ofSpaces: string[]; ofAccounts: string } {
  if (actor === undefined) return { ofSpaces: ['$7::text is null'], ofAccounts: '$7::text is null' };
  if (actor === 'machine')
    return {
      ofSpaces: [`$7::text = 'machine' and (actor_type = 'machine' or (actor_type is null and actor_user_id is null))`],
      ofAccounts: `actor_type = 'machine'`,
    };
  return {
    ofSpaces: ['actor_id = $7::text', 'actor_user_id = $7::uuid and actor_id is distinct from $7::text'],
    ofAccounts: 'actor_id = $7::text',
  };
}

@Injectable()
export class SecurityEventsRepository {
  async recordInSpace(tx: Tx, event: SpaceEvent): Promise<void> {
    await tx.query(
      `insert into space_events (space_id, id, action, target, details, actor_user_id, credential_id, request_id,
         actor_type, actor_id)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) on conflict do nothing`,
      [
        event.spaceId,
        event.id ?? newId(),
        event.action,
        event.target,
        JSON.stringify(event.details),
        event.actorUserId,
        event.credentialId,
        event.requestId,
        event.actor.type,
        event.actor.id ?? null,
      ],
    );
  }

  /** The same in every Space that the person belongs to. */
  async recordInSpacesOf(tx: Tx, userId: string, event: Omit<SpaceEvent, 'id' | 'spaceId'>): Promise<void> {
    await tx.query(
      `insert into space_events (space_id, id, action, target, details, actor_user_id, credential_id, request_id,
         actor_type, actor_id)
       select m.space_id, gen_random_uuid(), $2, $3, $4, $5, $6, $7, $8, $9 from members m where m.user_id = $1`,
      [
        userId,
        event.action,
        event.target,
        JSON.stringify(event.details),
        event.actorUserId,
        event.credentialId,
        event.requestId,
        event.actor.type,
        event.actor.id ?? null,
      ],
    );
  }

  async recordOfAccount(tx: Tx, event: AccountEvent): Promise<void> {
    await tx.query(
      `insert into account_events (id, action, user_id, target, details, credential_id, request_id, actor_type, actor_id)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
      [
        newId(),
        event.action,
        event.userId,
        event.target,
        JSON.stringify(event.details),
        event.credentialId,
        event.requestId,
        event.actor.type,
        event.actor.id ?? null,
      ],
    );
  }

  /**
   * Of all Spaces and of the platform, newest first. Each part of a log is read along an index, and gives no more rows than
   * the page has.
   */
  listOfPlatform(tx: Tx, query: PageWindow<TimePosition> & EventQuery): Promise<PlatformEventRow[]> {
    const { spaceId, action, actor, from, to, after, take } = query;
    const bounds = `($3::timestamptz is null or (at, id) < ($3::timestamptz, $4::uuid))
         and ($5::timestamptz is null or at >= $5::timestamptz) and ($6::timestamptz is null or at < $6::timestamptz)
         and ($2::text is null or action = $2)`;
    const isOfSpaces = action?.startsWith('operator.') !== true;
    const { ofSpaces, ofAccounts } = partsOf(actor);
    const spaceParts = ofSpaces.map(
      (
        part,
      ) => `(select space_id, id, action, target, details, actor_user_id, credential_id, request_id, at, actor_type, actor_id
          from space_events
          where ${isOfSpaces ? 'true' : 'false'} and ($1::uuid is null or space_id = $1::uuid) and ${bounds} and ${part}
          order by at desc, id desc limit $8)
         union all`,
    );
    return tx.query<PlatformEventRow>(
      `select * from (
         ${spaceParts.join(' ')}
         (select null::uuid, id, action, coalesce(target, user_id::text), details,
                 case when actor_type in ('user', 'operator') then actor_id::uuid end, credential_id, request_id, at,
                 coalesce(actor_type, 'user'),
                 case when actor_type is null and action in ('password.changed', 'identity.linked') then user_id::text
                      else actor_id end
          from account_events
          where $1::uuid is null and ${bounds} and ${ofAccounts}
          order by at desc, id desc limit $8)) as events
       order by at desc, id desc limit $8`,
      [
        spaceId ?? null,
        action ?? null,
        after?.at ?? null,
        after?.id ?? null,
        from ?? null,
        to ?? null,
        actor ?? null,
        take,
      ],
    );
  }

  forgetOfSpaces(tx: Tx, days: number, limit: number): Promise<number> {
    return tx.count(
      `delete from space_events where (space_id, id) in
         (select space_id, id from space_events where at < now() - make_interval(days => $1)
           limit $2 for update skip locked)`,
      [days, limit],
    );
  }

  forgetOfAccounts(tx: Tx, days: number, limit: number): Promise<number> {
    return tx.count(
      `delete from account_events where id in
         (select id from account_events where at < now() - make_interval(days => $1) limit $2 for update skip locked)`,
      [days, limit],
    );
  }

  /** Of one Space, newest first. Rows without an actor's type have a person alone, or neither: machine. */
  list(tx: Tx, spaceId: string, query: PageWindow<TimePosition> & EventFilter): Promise<SpaceEventRow[]> {
    const { action, actor, from, to, after, take } = query;
    return tx.query<SpaceEventRow>(
      `select id, action, target, details, actor_user_id, credential_id, request_id, at, actor_type, actor_id
       from space_events
       where space_id = $1 and ($2::timestamptz is null or (at, id) < ($2::timestamptz, $3::uuid))
         and ($5::text is null or action = $5) and ($6::timestamptz is null or at >= $6::timestamptz)
         and ($7::timestamptz is null or at < $7::timestamptz)
         and ($8::text is null or actor_id = $8 or actor_user_id::text = $8
           or ($8 = 'machine' and coalesce(actor_type, case when actor_user_id is null then 'machine' end) = 'machine'))
       order by at desc, id desc limit $4`,
      [spaceId, after?.at ?? null, after?.id ?? null, take, action ?? null, from ?? null, to ?? null, actor ?? null],
    );
  }
}
