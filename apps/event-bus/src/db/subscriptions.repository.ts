import { Injectable } from '@nestjs/common';
import type { ListSubscriptions, OversizedFields, SubscriptionView } from '@switchyard/contracts';
import { type PageWindow, type Tx, type Weighed, lightPage, readableSql } from '@switchyard/database';
import { AppError, type JsonObject } from '@switchyard/kernel';
import type { NewDefault } from '../domain/default-subscriptions';
import type { ExistingDefault } from '../domain/match-manifest-subscriptions';
import type { StoredSubscription } from '../domain/subscription-index';
import { EventBusConfig } from '../event-bus.config';
import { subscriptions } from './tables';

export interface NewSubscription {
  id: string;
  eventId: string;
  /** One of the two is null. */
  taskId: string | null;
  endpointId: string | null;
  filter: JsonObject | null;
  active: boolean;
  createdBy: string | null;
}

/** A row of the database. */
export type SubscriptionRow = Omit<SubscriptionView, 'oversized'> & { oversized: OversizedFields };

/** A filter over the size limit stays in the database and is not read. */
const VIEW = `s.id, s.event_id, e.app_identifier, e.name as event, s.task_id, s.endpoint_id,
  ${readableSql('filter', `'{}'`, 's.')} as filter, s.active, s.origin, s.created_at, s.oversized`;
const FROM = 'subscriptions s join registered_events e on e.space_id = s.space_id and e.id = s.event_id';

export interface SizedSubscription extends StoredSubscription {
  spaceId: string;
  eventId: string;
  /** Size of the filter. */
  bytes: number;
  /** The filter has to be read by `filtersOf`. */
  isFilterPending: boolean;
}

/** No filter and an empty one are equal. */
const SAME_FILTER = `coalesce(s.filter, '{}'::jsonb) = coalesce($f::jsonb, '{}'::jsonb)`;

const alreadySubscribed = (): AppError =>
  new AppError('CONFLICT', 'The task or endpoint is subscribed to this event with the same filter already.');

/**
 * Subscriptions. A change also increments the event's revision, so that every replica reloads; the event is always
 * locked before its subscriptions.
 */
@Injectable()
export class SubscriptionsRepository {
  constructor(private readonly config: EventBusConfig) {}

  /**
   * The active subscriptions of events. Filters up to `pageBytes` together are included; the others are read by
   * `filtersOf`. A filter over `filterBytes` is never read.
   */
  activeOfEvents(
    tx: Tx,
    events: readonly { spaceId: string; eventId: string }[],
    { filterBytes, pageBytes }: { filterBytes: number; pageBytes: number },
  ): Promise<SizedSubscription[]> {
    return tx.prepared(
      'active-subscriptions-of-events',
      `select space_id, event_id, id, task_id, endpoint_id, bytes, case when bytes <= $3 and before < $4 then filter end as filter,
              bytes <= $3 and before >= $4 as is_filter_pending
         from (select sized.*, sum(least(bytes, $3)) over (order by id) - least(bytes, $3) as before
                 from (select s.space_id, s.event_id, s.id, s.task_id, s.endpoint_id, s.filter, coalesce(octet_length(s.filter::text), 0) as bytes
                         from unnest($1::uuid[], $2::uuid[]) as wanted (space_id, event_id)
                         join subscriptions s on s.space_id = wanted.space_id and s.event_id = wanted.event_id and s.active) sized) placed
        order by id`,
      [events.map(({ spaceId }) => spaceId), events.map(({ eventId }) => eventId), filterBytes, pageBytes],
    );
  }

  filtersOf(
    tx: Tx,
    subscriptions: readonly { spaceId: string; id: string }[],
  ): Promise<{ id: string; filter: unknown }[]> {
    return tx.query(
      `select s.id, s.filter from unnest($1::uuid[], $2::uuid[]) as wanted (space_id, id)
         join subscriptions s on s.space_id = wanted.space_id and s.id = wanted.id`,
      [subscriptions.map(({ spaceId }) => spaceId), subscriptions.map(({ id }) => id)],
    );
  }

  find(tx: Tx, spaceId: string, id: string): Promise<SubscriptionRow | null> {
    return tx.one<SubscriptionRow>(`select ${VIEW} from ${FROM} where s.space_id = $1 and s.id = $2`, [spaceId, id]);
  }

  /** Its state after it is locked: incrementing the revision locks its event. */
  async findLocked(tx: Tx, spaceId: string, id: string): Promise<SubscriptionRow | null> {
    await this.countRevisionOf(tx, spaceId, id);
    return this.find(tx, spaceId, id);
  }

  list(
    tx: Tx,
    spaceId: string,
    filter: ListSubscriptions,
    { after, take }: PageWindow<string>,
  ): Promise<(SubscriptionRow & Weighed)[]> {
    return tx.query(
      lightPage(
        `select ${VIEW} from ${FROM}
        where s.space_id = $1 and ($2::uuid is null or s.id < $2) and ($3::uuid is null or s.event_id = $3)
          and ($4::uuid is null or s.task_id = $4) and ($5::text is null or e.app_identifier = $5)
          and ($6::text is null or e.name = $6) and ($7::boolean is null or s.active = $7)
          and ($9::uuid is null or s.endpoint_id = $9) and ($10::boolean is null or (s.endpoint_id is not null) = $10)
        order by s.id desc limit $8`,
        'id desc',
        ['filter'],
      ),
      [
        spaceId,
        after,
        filter.eventId,
        filter.taskId,
        filter.appIdentifier,
        filter.event,
        filter.active,
        take,
        filter.endpointId,
        ofEndpoints(filter),
      ],
    );
  }

  async add(
    tx: Tx,
    spaceId: string,
    { id, eventId, taskId, endpointId, filter, active, createdBy }: NewSubscription,
  ): Promise<void> {
    await this.checkRoom(tx, spaceId, eventId, { taskId, endpointId, filter });
    const by = { origin: 'USER' as const, defaultKey: null, createdBy };
    await tx.rows(subscriptions).insert({ spaceId, id, eventId, taskId, endpointId, filter, active, ...by });
  }

  async addDefault(
    tx: Tx,
    spaceId: string,
    eventId: string,
    { id, taskId, filter, active, defaultKey, bringsTask }: NewDefault,
  ): Promise<void> {
    await this.checkRoom(tx, spaceId, eventId, { taskId, endpointId: null, filter });
    const by = { origin: 'DEFAULT' as const, defaultKey, bringsTask, createdBy: null };
    await tx.rows(subscriptions).insert({ spaceId, id, eventId, taskId, filter, active, ...by });
  }

  /** A change by a user of what it has locked: what was a default is the user's from now on. */
  async changeByUser(
    tx: Tx,
    spaceId: string,
    id: string,
    { filter, active }: { filter: JsonObject | null; active: boolean },
  ): Promise<void> {
    const others = await tx.one<{ same: number }>(
      `select count(*)::int as same from subscriptions s join subscriptions own on own.space_id = s.space_id and own.event_id = s.event_id
          and (own.task_id = s.task_id or own.endpoint_id = s.endpoint_id) and own.id <> s.id
        where s.space_id = $1 and own.id = $2 and ${SAME_FILTER.replace('$f', '$3')}`,
      [spaceId, id, asJson(filter)],
    );
    if ((others?.same ?? 0) > 0) throw alreadySubscribed();
    await tx.rows(subscriptions).save({ spaceId, id }, { filter, active, origin: 'USER' });
  }

  async changeDefault(
    tx: Tx,
    spaceId: string,
    id: string,
    change: { defaultKey: string; filter: JsonObject | null; active: boolean },
  ): Promise<void> {
    await this.countRevisionOf(tx, spaceId, id);
    const { filter, active, defaultKey } = change;
    await tx.rows(subscriptions).save({ spaceId, id, origin: 'DEFAULT' }, { filter, active, defaultKey });
  }

  /** Its current name in the manifest, not visible to users. */
  async renameDefault(tx: Tx, spaceId: string, id: string, defaultKey: string): Promise<void> {
    await tx.rows(subscriptions).change({ spaceId, id }, { defaultKey });
  }

  /** Defaults become the user's. Their targets are unchanged. */
  async giveToUser(tx: Tx, spaceId: string, by: { ids?: readonly string[]; taskId?: string }): Promise<void> {
    await tx.run(
      `update subscriptions set origin = 'USER', updated_at = clock_timestamp()
        where space_id = $1 and origin = 'DEFAULT' and (id = any($2::uuid[]) or task_id = $3)`,
      [spaceId, by.ids ?? [], by.taskId],
    );
  }

  /** Events are locked in the order in which a manifest locks them. */
  async removeOfTask(tx: Tx, spaceId: string, taskId: string): Promise<void> {
    await tx.run(
      `with locked as (
         select id from registered_events
          where space_id = $1 and id in (select event_id from subscriptions where space_id = $1 and task_id = $2)
          order by id for update)
       update registered_events e set subscriptions_revision = subscriptions_revision + 1
         from locked where e.space_id = $1 and e.id = locked.id`,
      [spaceId, taskId],
    );
    await tx.rows(subscriptions).remove({ spaceId, taskId });
  }

  /** Whether it was there to be removed: of many at once, only one has removed it. */
  async remove(tx: Tx, spaceId: string, id: string): Promise<boolean> {
    if (!(await this.findLocked(tx, spaceId, id))) return false;
    await tx.rows(subscriptions).remove({ spaceId, id });
    return true;
  }

  /** Subscriptions created by manifests of this application, also those that now belong to the user. */
  broughtBy(tx: Tx, spaceId: string, appIdentifier: string): Promise<ExistingDefault[]> {
    return tx.query<ExistingDefault>(
      `select s.id, s.default_key, e.name as event, s.task_id, s.brings_task, s.origin, s.filter, s.active
         from ${FROM} where s.space_id = $1 and e.app_identifier = $2 and s.default_key is not null and s.task_id is not null order by s.id`,
      [spaceId, appIdentifier],
    );
  }

  /** Of these tasks, those that a subscription of a user starts. */
  async tasksOfUser(tx: Tx, spaceId: string, taskIds: readonly string[]): Promise<Set<string>> {
    const rows = await tx.query<{ taskId: string }>(
      `select distinct task_id from subscriptions where space_id = $1 and task_id = any($2::uuid[]) and origin = 'USER'`,
      [spaceId, taskIds],
    );
    return new Set(rows.map((row) => row.taskId));
  }

  /** Tasks that a subscription of a user starts; null where they are more than `limit`. */
  async allTasksOfUser(tx: Tx, spaceId: string, limit: number): Promise<string[] | null> {
    const rows = await tx.query<{ taskId: string }>(
      `select distinct task_id from subscriptions where space_id = $1 and origin = 'USER' and task_id is not null limit $2`,
      [spaceId, limit + 1],
    );
    return rows.length > limit ? null : rows.map(({ taskId }) => taskId);
  }

  /**
   * Incrementing the revision locks the event's row, so that no other subscription is added meanwhile. Throws CONFLICT
   * if the event has the maximum of subscriptions, or this one.
   */
  private async checkRoom(
    tx: Tx,
    spaceId: string,
    eventId: string,
    { taskId, endpointId, filter }: Pick<NewSubscription, 'taskId' | 'endpointId' | 'filter'>,
  ): Promise<void> {
    await this.countRevision(tx, spaceId, eventId);
    const row = await tx.one<{ all: number; same: number }>(
      `select count(*)::int as all, (count(*) filter (where (s.task_id = $3 or s.endpoint_id = $5) and ${SAME_FILTER.replace('$f', '$4')}))::int as same
         from subscriptions s where s.space_id = $1 and s.event_id = $2`,
      [spaceId, eventId, taskId, asJson(filter), endpointId],
    );
    if ((row?.same ?? 0) > 0) throw alreadySubscribed();
    if ((row?.all ?? 0) >= this.config.EVENT_SUBSCRIPTIONS_MAX)
      throw new AppError(
        'CONFLICT',
        `This event has ${this.config.EVENT_SUBSCRIPTIONS_MAX} subscriptions; no more are allowed. Delete one first.`,
      );
  }

  private async countRevision(tx: Tx, spaceId: string, eventId: string): Promise<void> {
    await tx.run(
      'update registered_events set subscriptions_revision = subscriptions_revision + 1 where space_id = $1 and id = $2',
      [spaceId, eventId],
    );
  }

  private async countRevisionOf(tx: Tx, spaceId: string, id: string): Promise<void> {
    await tx.run(
      `update registered_events set subscriptions_revision = subscriptions_revision + 1
        where space_id = $1 and id = (select event_id from subscriptions where space_id = $1 and id = $2)`,
      [spaceId, id],
    );
  }
}

/** Those of endpoints are listed only if they are named. */
const ofEndpoints = ({ endpointId, taskId, kind }: ListSubscriptions): boolean | null =>
  kind === undefined && (endpointId !== undefined || taskId !== undefined) ? null : kind === 'ENDPOINT';

const asJson = (value: JsonObject | null): string | null => (value === null ? null : JSON.stringify(value));
