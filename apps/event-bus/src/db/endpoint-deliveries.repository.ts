import { Injectable } from '@nestjs/common';
import type { EndpointDeliveryView, ListEndpointDeliveries, ReplayedStatus } from '@switchyard/contracts';
import type { PageWindow, Tx } from '@switchyard/database';
import { newId } from '@switchyard/kernel';

export interface NewEndpointDelivery {
  spaceId: string;
  id: string;
  envelopeId: string;
  endpointId: string;
  subscriptionId: string | null;
}

interface ReplayedRange {
  from: string;
  to: string | null;
  status: ReplayedStatus;
  limit: number;
}

const VIEW = `d.id, d.envelope_id, d.event, 'ENDPOINT' as kind, d.subscription_id, null as task_id, d.endpoint_id, null as execution_id,
  d.status, d.replay, d.attempts, d.attempt_count + d.unheard as attempt_count, d.error, d.created_at`;

/** Deliveries of envelopes to endpoints. An endpoint that takes nothing has its deliveries as FAILED at once. */
@Injectable()
export class EndpointDeliveriesRepository {
  /** Deliveries of the envelopes themselves: the first of each endpoint, of which `replay` is 0. */
  async add(tx: Tx, deliveries: readonly NewEndpointDelivery[]): Promise<void> {
    if (deliveries.length === 0) return;
    await tx.prepared('add-endpoint-deliveries', insertSql('0'), [JSON.stringify(deliveries)]);
  }

  /** One more for an envelope and endpoint. Gives the number of its replay; null where there is no such endpoint. */
  async addReplay(tx: Tx, delivery: NewEndpointDelivery): Promise<number | null> {
    const [row] = await tx.query<{ replay: number }>(`${insertSql(NEXT_REPLAY)} returning replay`, [
      JSON.stringify([delivery]),
    ]);
    return row?.replay ?? null;
  }

  /** The latest delivery of each envelope decides. The oldest first. */
  async replay(
    tx: Tx,
    { spaceId, endpointId }: { spaceId: string; endpointId: string },
    { from, to, status, limit }: ReplayedRange,
  ): Promise<number> {
    return tx.count(
      `with latest as (
         select distinct on (d.envelope_id) d.envelope_id, d.subscription_id, d.event, d.emitted_at, d.replay, d.bytes, d.status
           from endpoint_deliveries d
          where d.space_id = $1 and d.endpoint_id = $2 and d.emitted_at >= $3 and ($4::timestamptz is null or d.emitted_at < $4)
          order by d.envelope_id, d.replay desc),
       chosen as (
         select l.* from latest l where l.status = $5
            and exists (select 1 from emissions m where m.space_id = $1 and m.id = l.envelope_id)
          order by l.emitted_at, l.envelope_id limit $6)
       insert into endpoint_deliveries (space_id, id, envelope_id, endpoint_id, subscription_id, event, emitted_at, replay, bytes, status, error, run_at)
       select $1, ${NEW_ID}, c.envelope_id, $2, c.subscription_id, c.event, c.emitted_at, c.replay + 1, c.bytes, ${STATUS}, ${ERROR},
              (select clock_timestamp()) + row_number() over (order by c.emitted_at, c.envelope_id) * interval '1 microsecond'
         from chosen c join endpoints e on e.space_id = $1 and e.id = $2
        order by c.emitted_at, c.envelope_id
       on conflict do nothing`,
      [spaceId, endpointId, from, to, status, limit],
    );
  }

  of(tx: Tx, spaceId: string, envelopeId: string): Promise<EndpointDeliveryView[]> {
    return tx.query<EndpointDeliveryView>(
      `select ${VIEW} from endpoint_deliveries d where d.space_id = $1 and d.envelope_id = $2 order by d.replay, d.id`,
      [spaceId, envelopeId],
    );
  }

  /** Newest first. */
  list(
    tx: Tx,
    spaceId: string,
    { id, status, event, from, to }: ListEndpointDeliveries,
    { after, take }: PageWindow<string>,
  ): Promise<EndpointDeliveryView[]> {
    return tx.query<EndpointDeliveryView>(
      `select ${VIEW} from endpoint_deliveries d
        where d.space_id = $1 and d.endpoint_id = $2 and ($3::uuid is null or d.id < $3) and ($4::text is null or d.status = $4)
          and ($5::text is null or d.event = $5) and ($6::timestamptz is null or d.emitted_at >= $6)
          and ($7::timestamptz is null or d.emitted_at < $7)
        order by d.id desc limit $8`,
      [spaceId, id, after, status, event, from, to, take],
    );
  }
}

/** A UUIDv7, as ids of rows are: they grow with time. */
const NEW_ID = `(lpad(to_hex((extract(epoch from clock_timestamp()) * 1000)::bigint), 12, '0') || '7'
  || substr(replace(gen_random_uuid()::text, '-', ''), 14))::uuid`;
const TAKES = `e.active and e.status <> 'DISABLED'`;
const STATUS = `case when ${TAKES} then 'PENDING' else 'FAILED' end`;
const ERROR = `case when ${TAKES} then null else 'ENDPOINT_DISABLED' end`;
const NEXT_REPLAY = `(select coalesce(max(b.replay), -1) + 1 from endpoint_deliveries b
  where b.space_id = m.space_id and b.envelope_id = m.id and b.endpoint_id = e.id)`;

/** Endpoints and envelopes that are deleted by now get none. */
const insertSql = (replay: string): string => `
  insert into endpoint_deliveries (space_id, id, envelope_id, endpoint_id, subscription_id, event, emitted_at, replay, bytes, status, error, settled_at)
  select m.space_id, (r->>'id')::uuid, m.id, e.id, (r->>'subscriptionId')::uuid, m.event, m.emitted_at, ${replay}, m.payload_bytes,
         ${STATUS}, ${ERROR}, case when ${TAKES} then null else clock_timestamp() end
    from jsonb_array_elements($1::jsonb) r
    join emissions m on m.space_id = (r->>'spaceId')::uuid and m.id = (r->>'envelopeId')::uuid
    join endpoints e on e.space_id = m.space_id and e.id = (r->>'endpointId')::uuid`;

/** A delivery of an envelope to an endpoint, through the first of its subscriptions that match. */
export const newEndpointDelivery = (delivery: Omit<NewEndpointDelivery, 'id'>): NewEndpointDelivery => ({
  ...delivery,
  id: newId(),
});
