import { MAX_DELIVERIES } from '@switchyard/contracts';
import { newId } from '@switchyard/kernel';
import type { WaitingEmission } from '../db/undispatched-emissions.repository';
import { matchedEmissions } from './trigger-messages';

const emission: WaitingEmission = {
  spaceId: newId(),
  id: newId(),
  eventId: newId(),
  event: 'order.created',
  payload: { order: 'o-1' },
  source: 'app',
  emittedAt: new Date(0).toISOString(),
  actorUserId: null,
  causationId: null,
  correlationId: newId(),
  depth: 0,
  attempts: 0,
  payloadBytes: 15,
  eventActive: true,
  subscriptionsRevision: 1,
};

const matchesOf = (count: number) =>
  Array.from({ length: count }, () => ({ subscriptionId: newId(), taskId: newId() }));

describe('what travels of an emission', () => {
  it('is one part as long as it starts little, and nothing where nothing matches', () => {
    expect(matchedEmissions({ emission, matches: matchesOf(500), replay: 0 })).toHaveLength(1);
    expect(matchedEmissions({ emission, matches: [], replay: 0 })).toEqual([]);
  });

  it('is cut where it starts more than a message may hold, in order and without loss', () => {
    const matches = matchesOf(MAX_DELIVERIES + 201);
    const parts = matchedEmissions({ emission, matches, replay: 3 });
    expect(parts.map(({ deliveries }) => deliveries.length)).toEqual([500, 500, 201]);
    expect(parts.every(({ trigger }) => trigger.id === emission.id)).toBe(true);
    const deliveries = parts.flatMap((part) => part.deliveries);
    expect(deliveries.map(({ subscriptionId, taskId }) => ({ subscriptionId, taskId }))).toEqual(matches);
    expect(new Set(deliveries.map(({ deliveryId }) => deliveryId)).size).toBe(matches.length);
    expect(deliveries.every(({ replay }) => replay === 3)).toBe(true);
  });
});
