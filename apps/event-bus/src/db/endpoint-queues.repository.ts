import { Injectable } from '@nestjs/common';
import type { DeliveryError, EndpointDeliveryStatus, EndpointTransport } from '@switchyard/contracts';
import type { Read, Tx } from '@switchyard/database';
import {
  type AttemptResult,
  DELIVERY_LEASE,
  type Delivery,
  DeliveryRows,
  type QueueRef,
  type QueueCapacity,
} from '@switchyard/service';

/** A delivery that this process makes, with its endpoint as it is now. */
export interface ClaimedDelivery extends Delivery {
  envelopeId: string;
  event: string;
  emittedAt: string;
  /** JSON, as it is sent. */
  payload: string;
  /** Of its emission. */
  traceparent: string | null;
  replay: number;
  attemptCount: number;
  /** Of the endpoint. */
  name: string;
  /** Null over NATS. */
  url: string | null;
  headers: string | null;
  secret: string | null;
  /** Null over HTTP. */
  natsAccountId: string | null;
  ackSeconds: number | null;
  /** Null after the grace of a rotation. */
  oldSecret: string | null;
}

interface Outcome {
  status: EndpointDeliveryStatus;
  /** Null for none: the next one after `nextInMs`. */
  error: DeliveryError | null;
  attempt: AttemptResult | null;
  nextInMs: number | null;
  /** It was sent without a subscriber. */
  hasNoListener?: boolean;
}

interface BacklogLimit {
  deliveries: number;
  bytes: number;
}

/** Over NATS, so much longer than the service may take for its reply. */
export const LEASE_MARGIN_SECONDS = 30;
const leaseOf = (ackSeconds: string): string =>
  `coalesce(make_interval(secs => ${ackSeconds} + ${LEASE_MARGIN_SECONDS}), ${DELIVERY_LEASE})`;
/** After this long, an endpoint that fails gets one delivery at a time. */
const PATIENCE = `interval '1 minute'`;

const TAKES = `e.active and e.status <> 'DISABLED'`;
/** Without a subscriber, one delivery is tried for all. */
const SLOTS = `case when e.tries > 0 then 1 when e.failing_since < (select clock_timestamp()) - ${PATIENCE} then 1 else e.in_flight end`;
/** It waits for a subscriber, or until its account may receive. */
const IS_OPEN = `(e.next_try_at is null or e.next_try_at <= (select clock_timestamp()))`;
const leasedOf = (endpoint: string): string =>
  `(select count(*) from endpoint_deliveries b where b.space_id = ${endpoint}.space_id and b.endpoint_id = ${endpoint}.id and b.worker is not null)`;

const ROWS = new DeliveryRows({
  table: 'endpoint_deliveries',
  kind: 'webhook',
  queue: ['space_id', 'endpoint_id'],
  dueAt: 'run_at',
  bytes: 'bytes',
  attemptCount: 'attempt_count',
  attemptLog: 'attempts',
  isOpen: (row) => `${row}status = 'PENDING'`,
  hasFailed: `status = 'FAILED'`,
  onCrashed: `status = 'FAILED', error = 'RUNTIME_UNAVAILABLE', settled_at = clock_timestamp()`,
  onAgain: `status = 'PENDING', error = null, settled_at = null`,
});
const QUEUES = ROWS.queues;

/** Deliveries to endpoints that wait: one queue for each endpoint. */
@Injectable()
export class EndpointQueuesRepository {
  readonly rows = ROWS;

  readonly anyOpen: Read = {
    name: 'any-endpoint-delivery-open',
    params: [],
    sql: `select 1 from endpoint_deliveries where status = 'PENDING' limit 1`,
  };

  /** Endpoints with room whose next delivery is due, the longest waiting first. Reads the index once for each that has an open delivery. */
  due(tx: Tx, transport: EndpointTransport, limit: number, exceptSpaces: readonly string[]): Promise<QueueRef[]> {
    return tx.prepared<QueueRef>(
      'due-endpoint-queues',
      `${QUEUES}
       select queues.space_id, queues.endpoint_id as queue_id from queues
         join endpoints e on e.space_id = queues.space_id and e.id = queues.endpoint_id
        where queues.run_at <= (select clock_timestamp()) and queues.space_id <> all($2::uuid[]) and ${TAKES}
          and e.transport = $3 and ${IS_OPEN}
          and ${leasedOf('e')} < ${SLOTS}
        order by queues.run_at limit $1`,
      [limit, exceptSpaces, transport],
    );
  }

  /**
   * Up to the room of each endpoint, of all processes together: its row is locked before its leases are counted.
   * Deliveries that were lost with their process are claimed one at a time.
   */
  async claim(
    tx: Tx,
    transport: EndpointTransport,
    worker: string,
    capacities: readonly QueueCapacity[],
  ): Promise<ClaimedDelivery[]> {
    const requested = [capacities.map(({ spaceId }) => spaceId), capacities.map(({ queueId }) => queueId), transport];
    const locked = tx.prepared<{ id: string }>(
      'lock-endpoint-queues',
      `select e.id from unnest($1::uuid[], $2::uuid[]) as requested (space_id, id)
         join endpoints e on e.space_id = requested.space_id and e.id = requested.id
        where ${TAKES} and e.transport = $3 and ${IS_OPEN} order by e.id for no key update of e skip locked`,
      requested,
    );
    const ids = new Set((await locked).map(({ id }) => id));
    const open = capacities.filter(({ queueId }) => ids.has(queueId));
    if (open.length === 0) return [];
    return ROWS.claim<ClaimedDelivery>(tx, CLAIM, worker, open);
  }

  /** False if the lease is another's by now: the attempt was made all the same. */
  settle(
    tx: Tx,
    worker: string,
    delivery: Delivery,
    { status, error, attempt, nextInMs, hasNoListener = false }: Outcome,
  ): Promise<boolean> {
    return ROWS.settle(
      tx,
      worker,
      delivery,
      { attempt, nextInMs },
      { assignments: OUTCOME, params: [status, error, hasNoListener] },
    );
  }

  /** The service goes on with it: the lease begins anew. */
  async extend(tx: Tx, worker: string, { spaceId, id }: Delivery, ackSeconds: number): Promise<void> {
    await tx.prepared(
      'extend-endpoint-delivery',
      `update endpoint_deliveries set lease_until = clock_timestamp() + ${leaseOf('$4::int')}
        where space_id = $1 and id = $2 and worker = $3 and status = 'PENDING' returning 1`,
      [spaceId, id, worker, ackSeconds],
    );
  }

  /** Gives the endpoints with open deliveries that take nothing any more, or are deleted. */
  closed(tx: Tx, limit: number): Promise<QueueRef[]> {
    return tx.prepared<QueueRef>(
      'closed-endpoint-queues',
      `${QUEUES}
       select queues.space_id, queues.endpoint_id as queue_id from queues
         left join endpoints e on e.space_id = queues.space_id and e.id = queues.endpoint_id
        where e.id is null or not (${TAKES}) limit $1`,
      [limit],
    );
  }

  /**
   * Ends open deliveries without an attempt, the oldest first. One that is being made ends by itself. They are chosen
   * once, before any is changed: read again for each row, a limit would go on to the next ones.
   */
  failOpen(tx: Tx, { spaceId, queueId }: QueueRef, error: DeliveryError, limit: number): Promise<number> {
    return tx.count(
      `with old as materialized (
         select id from endpoint_deliveries where space_id = $1 and endpoint_id = $2 and status = 'PENDING' and worker is null
          order by id limit $4 for update skip locked)
       update endpoint_deliveries d set status = 'FAILED', error = $3, settled_at = clock_timestamp()
        from old where d.space_id = $1 and d.id = old.id`,
      [spaceId, queueId, error, limit],
    );
  }

  /** How many of the oldest are over the limit. */
  async excess(tx: Tx, { spaceId, queueId }: QueueRef, { deliveries, bytes }: BacklogLimit): Promise<number> {
    const row = await tx.one<{ excess: number }>(
      `select count(*)::int as excess from (
         select row_number() over newest as place, sum(bytes) over newest as total from endpoint_deliveries
          where space_id = $1 and endpoint_id = $2 and status = 'PENDING' window newest as (order by id desc)) open
        where place > $3 or total > $4`,
      [spaceId, queueId, deliveries, bytes],
    );
    return row?.excess ?? 0;
  }

  /** Queues with anything that waits. */
  open(tx: Tx, limit: number): Promise<QueueRef[]> {
    return tx.query<QueueRef>(
      `${QUEUES} select space_id, endpoint_id as queue_id from queues order by run_at limit $1`,
      [limit],
    );
  }

  async figures(tx: Tx): Promise<{ open: number; oldestSeconds: number; failing: number; disabled: number }> {
    const row = await tx.one<{ open: number; oldestSeconds: number; failing: number; disabled: number }>(
      `select (select count(*) from (select 1 from endpoint_deliveries where status = 'PENDING' limit 1000000) open)::int as open,
              coalesce((select extract(epoch from clock_timestamp() - min(run_at)) from endpoint_deliveries where ${ROWS.isDue}), 0)::float8 as oldest_seconds,
              (select count(*) from endpoints where status = 'FAILING')::int as failing,
              (select count(*) from endpoints where status = 'DISABLED')::int as disabled`,
    );
    return row ?? { open: 0, oldestSeconds: 0, failing: 0, disabled: 0 };
  }
}

const OUTCOME = `status = $6, error = $7, unheard = unheard + case when $8::boolean then 1 else 0 end,
  settled_at = case when $6 = 'PENDING' then null else clock_timestamp() end`;

const CLAIM = ROWS.claimSql({
  capacities: `
    select e.space_id, e.id, e.name, e.url, e.headers, e.secret, e.nats_account_id, e.ack_seconds,
           case when e.old_secret_until > (select clock_timestamp()) then e.old_secret end as old_secret,
           requested.bytes as max_bytes, least(requested.slots, ${SLOTS} - ${leasedOf('e')}) as slots, ${leaseOf('e.ack_seconds')} as lease
      from unnest($1::uuid[], $2::uuid[], $3::int[], $4::bigint[]) as requested (space_id, id, slots, bytes)
      join endpoints e on e.space_id = requested.space_id and e.id = requested.id`,
  columns: ['endpoint_id', 'envelope_id', 'event', 'emitted_at', 'replay', 'attempt_count'],
  select: `
  select c.space_id, c.id, c.endpoint_id as queue_id, c.envelope_id, c.event, c.emitted_at, c.replay, c.bytes, c.is_suspect, c.attempt_count,
         m.payload::text as payload, m.traceparent, capacities.name, capacities.url, capacities.headers,
         capacities.secret, capacities.old_secret, capacities.nats_account_id, capacities.ack_seconds
    from claimed c join capacities on capacities.space_id = c.space_id and capacities.id = c.endpoint_id
    join emissions m on m.space_id = c.space_id and m.id = c.envelope_id
   order by c.emitted_at, c.id`,
});
