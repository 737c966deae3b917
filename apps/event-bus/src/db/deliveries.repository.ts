import { Injectable } from '@nestjs/common';
import type { DeliveryView, TaskTriggered } from '@switchyard/contracts';
import type { Tx } from '@switchyard/database';

export interface NewDelivery {
  spaceId: string;
  id: string;
  envelopeId: string;
  subscriptionId: string;
  taskId: string;
  replay: number;
}

/** One row for each envelope, subscription and replay: the database refuses a second one. */
@Injectable()
export class DeliveriesRepository {
  async add(tx: Tx, deliveries: readonly NewDelivery[]): Promise<void> {
    if (deliveries.length === 0) return;
    await tx.prepared(
      'add-deliveries',
      `insert into deliveries (space_id, id, envelope_id, subscription_id, task_id, replay)
       select (r->>'spaceId')::uuid, (r->>'id')::uuid, (r->>'envelopeId')::uuid, (r->>'subscriptionId')::uuid, (r->>'taskId')::uuid,
              (r->>'replay')::int
         from jsonb_array_elements($1::jsonb) r`,
      [JSON.stringify(deliveries)],
    );
  }

  async settle(tx: Tx, { spaceId, deliveryId, outcome, executionId }: TaskTriggered): Promise<void> {
    await tx.prepared(
      'settle-delivery',
      `update deliveries set status = $3, execution_id = $4, settled_at = clock_timestamp()
        where space_id = $1 and id = $2 and status = 'PENDING'`,
      [spaceId, deliveryId, outcome, executionId],
    );
  }

  of(tx: Tx, spaceId: string, envelopeId: string): Promise<DeliveryView[]> {
    return tx.query<DeliveryView>(
      `select subscription_id, task_id, execution_id, status, replay from deliveries
        where space_id = $1 and envelope_id = $2 order by replay, id`,
      [spaceId, envelopeId],
    );
  }
}
