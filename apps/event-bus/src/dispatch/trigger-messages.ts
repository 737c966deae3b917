import type { MatchedEmission } from '@switchyard/contracts';
import { newId } from '@switchyard/kernel';
import type { WaitingEmission } from '../db/undispatched-emissions.repository';
import { splitIntoBatches } from '../domain/split-into-batches';
import type { TaskMatch } from '../domain/matches';

export interface Triggering {
  emission: WaitingEmission;
  matches: readonly TaskMatch[];
  replay: number;
}

/** Well within what one message may start: an event from before the limit can have more subscriptions than that. */
const DELIVERIES = { items: 500, bytes: Infinity };

/** Messages of an emission in the order of its matches: one, or several if it starts many runs. */
export function matchedEmissions({ emission, matches, replay }: Triggering): MatchedEmission[] {
  const { spaceId, id, event, payload, source, emittedAt, actorUserId, causationId, correlationId, depth } = emission;
  const trigger = { event, payload, source, id, emittedAt, spaceId, actorUserId, causationId, correlationId, depth };
  return splitIntoBatches(matches, DELIVERIES, () => ({ items: 1, bytes: 0 })).map((part) => ({
    trigger,
    deliveries: part.map(({ subscriptionId, taskId }) => ({ deliveryId: newId(), subscriptionId, taskId, replay })),
  }));
}
