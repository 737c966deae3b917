import { Injectable } from '@nestjs/common';
import type { EmissionSource, EnvelopeError } from '@switchyard/contracts';
import { QUEUE_SPACE, type Read, type Tx, isQuiet, setApart } from '@switchyard/database';
import { type JsonObject, sqlStatesByKey, sqlStates } from '@switchyard/kernel';
import { EMISSION_BYTES } from '../domain/space-backlog-sizes';
import { SHARDS } from '../domain/event-shard';
import { WAITING } from '../domain/emission-state';

export interface WaitingEmission {
  spaceId: string;
  id: string;
  eventId: string;
  event: string;
  payload: JsonObject;
  source: EmissionSource;
  emittedAt: string;
  actorUserId: string | null;
  causationId: string | null;
  correlationId: string;
  depth: number;
  attempts: number;
  payloadBytes: number;
  /** False once the event is no longer registered: its subscriptions sleep. */
  eventActive: boolean;
  subscriptionsRevision: number;
}

export interface WaitingBytes {
  spaceId: string;
  pending: number;
  travelling: number;
}

export interface DispatchDecision {
  spaceId: string;
  id: string;
  status: 'DISPATCHED' | 'SKIPPED';
  matched: number;
  error: EnvelopeError | null;
}

/** Payloads of one batch: they are in memory together, and leave in one transaction. */
export const BATCH_BYTES = 4 * 1024 * 1024;

const COLUMNS = `m.space_id, m.id, m.event_id, m.event, m.payload, m.source, m.emitted_at, m.actor_user_id, m.causation_id, m.correlation_id,
       m.depth, m.attempts, m.payload_bytes, e.active as event_active, e.subscriptions_revision`;

const IS_PENDING = `status in ${sqlStates(WAITING)}`;
/** Of emissions that are found by their keys. */
const STILL_WAITS = sqlStatesByKey('m.status', ...WAITING);
const IS_DUE = `${IS_PENDING} and next_attempt_at <= (select clock_timestamp())`;

/** As many more as are set apart, so that these hold up no other event. */
const LOOKED_AT = '(select $2::int + cardinality(ids) from apart)';

/**
 * Without those that some process works on, and those that run alone because they were lost once. Emissions of the same
 * event that come after one of these wait for it: the order of an event is kept. None while lost work runs alone.
 */
const inOrder = (oldest: string, worker: string, slot: string): string => `
  with apart as materialized (select ${setApart('emission', { worker, slot })} as ids),
  looked as materialized (select *, id = any((select ids from apart)::uuid[]) as is_apart from (${oldest}) due)
  select * from looked m
   where not ${isQuiet} and not m.is_apart and not exists (
     select 1 from looked older where older.is_apart and older.event_id = m.event_id and older.seq < m.seq)
   order by m.seq limit $2`;

const OLDEST = `select * from emissions where lane = $1 and ${IS_DUE} order by seq limit ${LOOKED_AT}`;

/** Goes from Space to Space: however much waits of one that is left out, none of it is read. */
const OLDEST_OF_OTHER_SPACES = `
  with recursive spaces (space_id) as (
    (select space_id from emissions where lane = $1 and ${IS_PENDING} order by space_id limit 1)
    union all
    select (select m.space_id from emissions m
             where m.lane = $1 and m.${IS_PENDING} and m.space_id > spaces.space_id order by m.space_id limit 1)
      from spaces where space_id is not null)
  select own.*
    from spaces cross join lateral (
      select * from emissions where lane = $1 and space_id = spaces.space_id and ${IS_DUE} order by seq limit ${LOOKED_AT}) own
   where spaces.space_id <> all($3::uuid[])
   order by own.seq limit ${LOOKED_AT}`;

/**
 * The first always, however large it is. The same statement marks the rows as in progress, under the worker and slot of
 * the last two parameters.
 */
const batchOf = (oldest: string, worker: string, slot: string): string => `
  with found as (
  select ${COLUMNS}, row_number() over (order by m.seq) as place
    from (select *, sum(payload_bytes) over (order by seq) - payload_bytes as before from (${inOrder(oldest, worker, slot)}) oldest) m
    join registered_events e on e.space_id = m.space_id and e.id = m.event_id
   where m.before < ${BATCH_BYTES}),
  marked as (
    insert into running_work (worker, slot, kind, ids) select ${worker}, ${slot}, 'emission', array_agg(id) from found having count(*) > 0
    on conflict (worker, slot) do update set kind = excluded.kind, ids = excluded.ids, is_alone = false, at = clock_timestamp())
  select * from found order by place`;

const ONE = `
  select ${COLUMNS}, m.lane, m.next_attempt_at <= (select clock_timestamp()) as is_due
    from emissions m join registered_events e on e.space_id = m.space_id and e.id = m.event_id
   where m.id = $1 and m.${IS_PENDING}`;

/**
 * Emissions on their way from PENDING, lane by lane.
 * Hot path: SQL on `pg`, prepared by name where every emission takes it.
 */
@Injectable()
export class WaitingEmissionsRepository {
  /** Finds the lanes in which emissions are due. */
  readonly dueShards: Read = {
    name: 'lanes-with-waiting',
    params: [SHARDS],
    sql: `select lane from generate_series(0, $1 - 1) lane
        where exists (select 1 from emissions m where m.lane = lane.lane and m.${IS_PENDING} and m.next_attempt_at <= (select clock_timestamp()))`,
  };

  async shards(tx: Tx): Promise<number[]> {
    const rows = await tx.statement<{ lane: number }>(this.dueShards);
    return rows.map((row) => row.lane);
  }

  /** The oldest of a lane, but of no Space that has to wait. */
  oldest(
    { lane: shard, limit, worker, slot }: { lane: number; limit: number; worker: string; slot: string },
    waitingSpaces: readonly string[],
  ): Read {
    return waitingSpaces.length === 0
      ? { name: 'oldest-waiting', params: [shard, limit, worker, slot], sql: batchOf(OLDEST, '$3', '$4') }
      : {
          name: 'oldest-of-other-spaces',
          params: [shard, limit, waitingSpaces, worker, slot],
          sql: batchOf(OLDEST_OF_OTHER_SPACES, '$4', '$5'),
        };
  }

  /** One that still waits, by its id alone; null where it does not any more. */
  async find(tx: Tx, id: string): Promise<(WaitingEmission & { lane: number; isDue: boolean }) | null> {
    return tx.one(ONE, [id]);
  }

  /** Gives its Space; undefined where it does not wait any more. */
  async giveUp(tx: Tx, id: string, error: EnvelopeError): Promise<{ spaceId: string } | undefined> {
    const row = await tx.one<{ spaceId: string }>(
      `update emissions m set status = 'FAILED', error = $2 where id = $1 and ${STILL_WAITS} returning space_id`,
      [id, JSON.stringify(error)],
    );
    return row ?? undefined;
  }

  /** Its lane; null where it has not failed. */
  async startAgain(tx: Tx, spaceId: string, id: string): Promise<number | null> {
    const row = await tx.one<{ lane: number }>(
      `update emissions set status = 'PENDING', attempts = 0, error = null, next_attempt_at = clock_timestamp()
        where space_id = $1 and id = $2 and status = 'FAILED' returning lane`,
      [spaceId, id],
    );
    return row?.lane ?? null;
  }

  /** One dispatch of a lane at a time, across replicas. */
  lockShard(tx: Tx, shard: number): Promise<unknown> {
    return tx.prepared('lock-lane', 'select pg_advisory_xact_lock(74001, $1)', [shard]);
  }

  /** As `lockShard`; returns those of the emissions that still wait. */
  async claim(tx: Tx, shard: number, emissions: readonly WaitingEmission[]): Promise<Set<string>> {
    // Both leave together; the server looks at the emissions when it has the lock.
    const locked = this.lockShard(tx, shard);
    const claimed = tx.prepared<{ id: string }>(
      'claim-waiting',
      `select m.id from unnest($1::uuid[], $2::uuid[]) as wanted (space_id, id)
         join emissions m on m.space_id = wanted.space_id and m.id = wanted.id
        where ${STILL_WAITS} for update of m`,
      [emissions.map((emission) => emission.spaceId), emissions.map((emission) => emission.id)],
    );
    const [, rows] = await Promise.all([locked, claimed]);
    return new Set(rows.map((row) => row.id));
  }

  /** Returns those that still waited. */
  async settle(tx: Tx, decisions: readonly DispatchDecision[]): Promise<Set<string>> {
    const planned = tx.withOnePlan();
    const settled = tx.prepared<{ id: string }>(
      'settle-waiting',
      `update emissions m
          set status = r.status, matched_subscriptions = r.matched, error = r.error, attempts = m.attempts + 1,
              dispatched_at = case when r.status = 'DISPATCHED' then clock_timestamp() end
         from unnest($1::uuid[], $2::uuid[], $3::text[], $4::int[], $5::jsonb[]) as r (space_id, id, status, matched, error)
        where m.space_id = r.space_id and m.id = r.id and ${STILL_WAITS} returning m.id`,
      [
        decisions.map(({ spaceId }) => spaceId),
        decisions.map(({ id }) => id),
        decisions.map(({ status }) => status),
        decisions.map(({ matched }) => matched),
        decisions.map(({ error }) => (error === null ? null : JSON.stringify(error))),
      ],
    );
    const [, rows] = await Promise.all([planned, settled]);
    return new Set(rows.map((row) => row.id));
  }

  /** A dispatch that failed: again after the pause, or for good when there is none. */
  async noteFailure(tx: Tx, emission: WaitingEmission, retryInMs: number | null, error: EnvelopeError): Promise<void> {
    await tx.run(
      `update emissions m
          set attempts = attempts + 1, error = $4, status = case when $3::float8 is null then 'FAILED' else status end,
              next_attempt_at = clock_timestamp() + make_interval(secs => coalesce($3::float8, 0) / 1000)
        where space_id = $1 and id = $2 and ${STILL_WAITS}`,
      [emission.spaceId, emission.id, retryInMs, JSON.stringify(error)],
    );
  }

  /** Backlog of each Space: payloads to dispatch, and events to consume. Reads all rows. */
  bytesBySpace(tx: Tx): Promise<WaitingBytes[]> {
    return tx.prepared(
      'waiting-bytes',
      `select space_id, sum(pending)::float8 as pending, sum(travelling)::float8 as travelling from (
         select space_id, payload_bytes + ${EMISSION_BYTES} as pending, 0 as travelling from emissions where ${IS_PENDING}
         union all
         select (ctx->>'spaceId')::uuid, 0, pg_column_size(data) from outbox where ctx->>'spaceId' is not null) waiting
       group by space_id`,
    );
  }

  /** As `bytesBySpace`, of these Spaces: it reads nothing that waits of others. */
  bytesOf(tx: Tx, spaceIds: readonly string[]): Promise<WaitingBytes[]> {
    const travelling = (queue: string): string =>
      `(select coalesce(sum(pg_column_size(data)), 0) from outbox where ${queue} and ${QUEUE_SPACE} = space.id::text)`;
    return tx.prepared(
      'waiting-bytes-of',
      `select space.id as space_id,
              (select coalesce(sum(own.bytes), 0)
                 from generate_series(0, $2::int - 1) lane cross join lateral (
                   select sum(m.payload_bytes + ${EMISSION_BYTES}) as bytes from emissions m
                    where m.lane = lane.lane and m.space_id = space.id and m.${IS_PENDING}) own)::float8 as pending,
              (${travelling('epoch < 0')} + ${travelling('epoch >= 0')})::float8 as travelling
         from unnest($1::uuid[]) space (id)`,
      [spaceIds, SHARDS],
    );
  }

  async oldestAgeSeconds(tx: Tx): Promise<number> {
    const row = await tx.one<{ seconds: number }>(
      `select coalesce(extract(epoch from clock_timestamp() - min(emitted_at)), 0)::float8 as seconds
         from (select emitted_at from emissions where ${IS_PENDING} limit 10000) waiting`,
    );
    return row?.seconds ?? 0;
  }
}
