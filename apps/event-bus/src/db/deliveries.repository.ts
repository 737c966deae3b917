import { Injectable } from '@nestjs/common';
import type { DeliveryView, MatchedDelivery, TaskTriggered } from '@switchyard/contracts';
import type { Tx } from '@switchyard/database';

export interface NewDelivery extends MatchedDelivery {
  spaceId: string;
  envelopeId: string;
}

/**
 * One row for each envelope, subscription and replay: the database refuses a second one.
 * Hot path: SQL on `pg`, prepared by name where every emission takes it.
 */
@Injectable()
export class DeliveriesRepository {
  async add(tx: Tx, deliveries: readonly NewDelivery[]): Promise<void> {
    if (deliveries.length === 0) return;
    await tx.prepared(
      'add-deliveries',
      `insert into deliveries (space_id, id, envelope_id, subscription_id, task_id, replay)
       select (r->>'spaceId')::uuid, (r->>'deliveryId')::uuid, (r->>'envelopeId')::uuid, (r->>'subscriptionId')::uuid, (r->>'taskId')::uuid,
              (r->>'replay')::int
         from jsonb_array_elements($1::jsonb) r`,
      [JSON.stringify(deliveries)],
    );
  }

  /** The first answer stands. */
  async settle(tx: Tx, spaceId: string, triggered: readonly TaskTriggered[]): Promise<void> {
    const planned = tx.withOnePlan();
    const settled = tx.prepared(
      'settle-deliveries',
      // By place, not by a join with `unnest`: without hash joins that is a nested loop, which compares each with each.
      `update deliveries d set status = ($3::text[])[array_position($2::uuid[], d.id)],
              execution_id = ($4::uuid[])[array_position($2::uuid[], d.id)], settled_at = clock_timestamp()
        where d.space_id = $1 and d.id = any($2::uuid[]) and d.status = 'PENDING'`,
      [
        spaceId,
        triggered.map(({ deliveryId }) => deliveryId),
        triggered.map(({ outcome }) => outcome),
        triggered.map(({ executionId }) => executionId),
      ],
    );
    await Promise.all([planned, settled]);
  }

  /** The execution of a delivery that is still under way will have its id. */
  of(tx: Tx, spaceId: string, envelopeId: string): Promise<DeliveryView[]> {
    return tx.query<DeliveryView>(
      `select 'TASK' as kind, subscription_id, task_id, null as endpoint_id, case when status = 'PENDING' then id else execution_id end as execution_id, status, replay,
              '[]'::jsonb as attempts, 0 as attempt_count, null as error
         from deliveries
        where space_id = $1 and envelope_id = $2 order by replay, id`,
      [spaceId, envelopeId],
    );
  }
}
