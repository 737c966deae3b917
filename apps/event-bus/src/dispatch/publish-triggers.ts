import { EventBusEvents, type MatchedEmission, actAs, serviceCtx } from '@switchyard/contracts';
import type { Tx } from '@switchyard/database';
import { jsonBytes } from '@switchyard/kernel';
import type { DeliveriesRepository, NewDelivery } from '../db/deliveries.repository';
import { type BatchLimits, splitIntoBatches } from '../domain/split-into-batches';
import { type Triggering, matchedEmissions } from './trigger-messages';

/** Maximum of one message to the task service: one transaction there, and one message on the bus. */
const MESSAGE = { items: 100, bytes: 400_000 };
/** The JSON of one delivery, and of a trigger without its payload. */
const DELIVERY_BYTES = 220;
const TRIGGER_BYTES = 450;

/**
 * Notes the deliveries and announces them, in the transaction that marks their envelopes. The payload of an emission
 * travels once, however many subscriptions it starts.
 */
export async function trigger(
  tx: Tx,
  deliveries: DeliveriesRepository,
  triggerings: readonly Triggering[],
): Promise<void> {
  const byEvent = new Map<string, Triggering[]>();
  for (const triggering of triggerings) {
    if (triggering.matches.length === 0) continue;
    const { eventId } = triggering.emission;
    const group = byEvent.get(eventId);
    if (group) group.push(triggering);
    else byEvent.set(eventId, [triggering]);
  }
  const matched = [...byEvent].map(([eventId, group]) => ({ eventId, emissions: group.flatMap(matchedEmissions) }));
  await deliveries.add(
    tx,
    matched.flatMap(({ emissions }) => emissions.flatMap(rowsOf)),
  );
  for (const { eventId, emissions } of matched) {
    const ctx = actAs(serviceCtx('event-bus'), { spaceId: emissions[0]?.trigger.spaceId ?? null });
    for (const batch of splitIntoBatches(emissions, MESSAGE, sizeOf))
      await tx.announce(EventBusEvents.emissionsMatched, ctx, { emissions: batch }, { orderKey: eventId });
  }
}

/** Bytes of an emission with this many deliveries in a message. */
export const triggerBytes = (payloadBytes: number, deliveries: number): number =>
  deliveries === 0 ? 0 : payloadBytes + TRIGGER_BYTES + deliveries * DELIVERY_BYTES;

const sizeOf = ({ trigger: { payload }, deliveries }: MatchedEmission): BatchLimits => ({
  items: deliveries.length,
  bytes: triggerBytes(jsonBytes(payload), deliveries.length),
});

const rowsOf = ({ trigger: { spaceId, id }, deliveries }: MatchedEmission): NewDelivery[] =>
  deliveries.map((delivery) => ({ spaceId, envelopeId: id, ...delivery }));
