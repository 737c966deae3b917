import { EventBusEvents, type TriggerTask, actAs, serviceCtx } from '@switchyard/contracts';
import type { Tx } from '@switchyard/database';
import { newId } from '@switchyard/kernel';
import type { DeliveriesRepository } from '../db/deliveries.repository';
import type { WaitingEmission } from '../db/waiting-emissions.repository';
import { batchesOf } from '../domain/batches';
import type { Match } from '../domain/subscription-index';

export interface Triggering {
  emission: WaitingEmission;
  matches: readonly Match[];
  replay: number;
}

/** What one message to the task service may hold: it is one transaction there, and one message on the carrier. */
const MESSAGE = { items: 50, bytes: 400_000 };

/** Notes the deliveries and announces them, in the transaction that marks their envelopes. */
export async function trigger(
  tx: Tx,
  deliveries: DeliveriesRepository,
  triggerings: readonly Triggering[],
): Promise<void> {
  const all = triggerings.flatMap(deliveriesOf);
  await deliveries.add(tx, all);
  const bySubscription = new Map<string, TriggerTask[]>();
  for (const delivery of all) {
    const group = bySubscription.get(delivery.subscriptionId);
    if (group) group.push(delivery);
    else bySubscription.set(delivery.subscriptionId, [delivery]);
  }
  for (const [subscriptionId, group] of bySubscription) {
    const ctx = actAs(serviceCtx('event-bus'), { spaceId: group[0]?.spaceId ?? null });
    for (const batch of batchesOf(group, MESSAGE, ({ trigger: { payload } }) =>
      Buffer.byteLength(JSON.stringify(payload)),
    )) {
      await tx.announce(EventBusEvents.triggerTasks, ctx, { deliveries: batch }, { orderKey: subscriptionId });
    }
  }
}

function deliveriesOf({ emission, matches, replay }: Triggering): TriggerTask[] {
  const { spaceId, id, event, payload, source, emittedAt, actorUserId, causationId, correlationId, depth } = emission;
  const trigger = { event, payload, source, id, emittedAt, spaceId, actorUserId, causationId, correlationId, depth };
  return matches.map(({ subscriptionId, taskId }) => ({
    deliveryId: newId(),
    spaceId,
    envelopeId: id,
    subscriptionId,
    taskId,
    replay,
    trigger,
  }));
}
