import type { EmissionSource, EnvelopeError } from '@switchyard/contracts';
import type { JsonObject } from '@switchyard/kernel';

/** An emission as it is about to be recorded. */
export interface NewEmission {
  id: string;
  spaceId: string;
  eventId: string;
  appIdentifier: string;
  event: string;
  payload: JsonObject;
  source: EmissionSource;
  status: 'PENDING' | 'SKIPPED' | 'FAILED';
  error: EnvelopeError | null;
  idempotencyKey: string | null;
  fingerprint: string | null;
  actorUserId: string | null;
  causationId: string | null;
  correlationId: string;
  depth: number;
  lane: number;
  emittedAt: string;
}
