import { Injectable } from '@nestjs/common';
import type { EndpointDeliveryView, ListEndpointDeliveries } from '@switchyard/contracts';
import type { PageWindow, Tx } from '@switchyard/database';
import { newId } from '@switchyard/kernel';
import { FIRST_OUTCOME } from './first-outcome';

export interface NewEndpointDelivery {
  spaceId: string;
  id: string;
  envelopeId: string;
  endpointId: string;
  subscriptionId: string | null;
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

const NEXT_REPLAY = `(select coalesce(max(b.replay), -1) + 1 from endpoint_deliveries b
  where b.space_id = m.space_id and b.envelope_id = m.id and b.endpoint_id = e.id)`;

/** Endpoints and envelopes that are deleted by now get none. */
const insertSql = (replay: string): string => `
  insert into endpoint_deliveries (space_id, id, envelope_id, endpoint_id, subscription_id, event, emitted_at, replay, bytes, status, error, settled_at)
  select m.space_id, (r->>'id')::uuid, m.id, e.id, (r->>'subscriptionId')::uuid, m.event, m.emitted_at, ${replay}, m.payload_bytes,
         ${FIRST_OUTCOME}
    from jsonb_array_elements($1::jsonb) r
    join emissions m on m.space_id = (r->>'spaceId')::uuid and m.id = (r->>'envelopeId')::uuid
    join endpoints e on e.space_id = m.space_id and e.id = (r->>'endpointId')::uuid`;

/** A delivery of an envelope to an endpoint, through the first of its subscriptions that match. */
export const newEndpointDelivery = (delivery: Omit<NewEndpointDelivery, 'id'>): NewEndpointDelivery => ({
  ...delivery,
  id: newId(),
});
