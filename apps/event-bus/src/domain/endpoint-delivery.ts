import type { DeliveryError, EndpointDeliveryStatus } from '@switchyard/contracts';
import { ERROR_STATUS } from '@switchyard/kernel';

/** A receiver that answers this wants no more. */
const RECEIVER_ENDED = ERROR_STATUS.STREAM_EXPIRED;
/** Of the body that is sent. */
export const WEBHOOK_MAX_BYTES = 300 * 1024;

interface Sent {
  event: string;
  emittedAt: string;
  envelopeId: string;
  /** JSON. */
  payload: string;
}

/** The payload is put in as it is stored. */
export const webhookBody = ({ event, emittedAt, envelopeId, payload }: Sent): string =>
  `{"type":${JSON.stringify(event)},"timestamp":${JSON.stringify(emittedAt)},"data":${payload},"envelopeId":"${envelopeId}"}`;

/** The same for each attempt; a replay is another message. */
export const webhookId = (envelopeId: string, endpointId: string, replay: number): string =>
  `${envelopeId}.${endpointId}${replay === 0 ? '' : `.r${replay}`}`;

export interface NextStep {
  status: EndpointDeliveryStatus;
  error: DeliveryError | null;
  nextInMs: number | null;
  /** The receiver wants no more. */
  isDisabling: boolean;
}

/** As `afterAttempt`, of a service over NATS: it may discard the event, and no status disables its endpoint. */
export function afterReply({ error }: Attempted, isDiscarded: boolean, delayMs: number | null): NextStep {
  if (isDiscarded) return { status: 'DISCARDED', error: null, nextInMs: null, isDisabling: false };
  return afterAttempt({ status: null, error }, delayMs);
}

interface Attempted {
  status: number | null;
  error: unknown;
}

/** After an attempt; `delayMs` is the wait for the next one, null after the last. */
export function afterAttempt({ status, error }: Attempted, delayMs: number | null): NextStep {
  if (error === null) return { status: 'DELIVERED', error: null, nextInMs: null, isDisabling: false };
  if (status === RECEIVER_ENDED)
    return { status: 'FAILED', error: 'ENDPOINT_DISABLED', nextInMs: null, isDisabling: true };
  if (delayMs === null) return { status: 'FAILED', error: null, nextInMs: null, isDisabling: false };
  return { status: 'PENDING', error: null, nextInMs: delayMs, isDisabling: false };
}
