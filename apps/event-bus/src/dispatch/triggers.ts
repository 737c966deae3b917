import { type Ctx, EventBusEvents, actAs, caused, serviceCtx } from '@switchyard/contracts';
import type { Tx } from '@switchyard/database';
import { newId } from '@switchyard/kernel';
import type { DeliveriesRepository, NewDelivery } from '../db/deliveries.repository';
import type { WaitingEmission } from '../db/waiting-emissions.repository';
import type { Match } from '../domain/subscription-index';

export interface Triggering {
  emission: WaitingEmission;
  matches: readonly Match[];
  replay: number;
}

/** The runs that an envelope starts carry it as their cause. */
const causedBy = ({ spaceId, id, correlationId, depth }: WaitingEmission): Ctx =>
  caused(actAs(serviceCtx('event-bus'), { spaceId }), { causationId: id, correlationId, depth });

/** Notes the deliveries and announces them, in the transaction that marks their envelopes. */
export async function trigger(
  tx: Tx,
  deliveries: DeliveriesRepository,
  triggerings: readonly Triggering[],
): Promise<void> {
  const added: NewDelivery[] = [];
  for (const { emission, matches, replay } of triggerings) {
    const ctx = causedBy(emission);
    const { spaceId, id: envelopeId } = emission;
    for (const { subscriptionId, taskId } of matches) {
      const delivery = { spaceId, id: newId(), envelopeId, subscriptionId, taskId, replay };
      added.push(delivery);
      const { event, payload, source, emittedAt, actorUserId, causationId, correlationId, depth } = emission;
      await tx.announce(
        EventBusEvents.triggerTask,
        ctx,
        {
          deliveryId: delivery.id,
          spaceId,
          envelopeId,
          subscriptionId,
          taskId,
          replay,
          trigger: {
            event,
            payload,
            source,
            id: envelopeId,
            emittedAt,
            spaceId,
            actorUserId,
            causationId,
            correlationId,
            depth,
          },
        },
        { orderKey: subscriptionId },
      );
    }
  }
  await deliveries.add(tx, added);
}
