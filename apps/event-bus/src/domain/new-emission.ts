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
  /** Of the payload's JSON. */
  bytes: number;
  source: EmissionSource;
  status: 'PENDING' | 'DISPATCHED' | 'SKIPPED' | 'FAILED';
  error: EnvelopeError | null;
  idempotencyKey: string | null;
  fingerprint: string | null;
  actorUserId: string | null;
  causationId: string | null;
  correlationId: string;
  depth: number;
  /** The piece of work that made it, and the root of that tree where it begins a chain of its own. */
  parent: string | null;
  root: string | null;
  lane: number;
  emittedAt: string;
  /** The user that sees it, as ADMIN and up do; nothing for every member. */
  audience?: string | null;
  /** Of the request that made it; its deliveries carry it. */
  traceparent?: string;
}

/** One that fits its registration, as far as that is known. */
export interface CheckedEmission extends NewEmission {
  applicationId: string | null;
  schemaFingerprint: string;
  /** Of an event without subscriptions: at another revision the emission is not recorded this way. */
  subscriptionsRevision: number | null;
}
