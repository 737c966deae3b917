import type { DeliveryError, EndpointDeliveryStatus } from '@switchyard/contracts';
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

/** A service over NATS does not want the event. */
export const DISCARDED: NextStep = { status: 'DISCARDED', error: null, nextInMs: null, isDisabling: false };
