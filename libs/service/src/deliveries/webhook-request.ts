import { AppError, toAppError } from '@switchyard/kernel';
import { Webhook } from 'standardwebhooks';
import { type WaitOutside, directly } from '@switchyard/messaging';
import type { Egress } from '../egress';
import { readRetryAfter } from './delivery-schedule';

/** How long a receiver may take for its answer. */
export const DELIVERY_TIMEOUT_MS = 15_000;
const MESSAGE_MAX = 200;

export interface WebhookRequest {
  /** Whose it is: connections and lookups of names are shared between payers. */
  spaceId: string;
  /** Connections of its own; without it, those of the payer. */
  pool?: string;
  url: string;
  /** Of Standard Webhooks: the same for every attempt. */
  id: string;
  body: string;
  /** The newest first. Each signs. */
  secrets: readonly string[];
  headers?: Readonly<Record<string, string>>;
  userAgent: string;
  /** Runs the wait for the answer. */
  outside?: WaitOutside;
}

export interface AttemptFailure {
  code: string;
  message: string;
}

export interface AttemptResult {
  at: string;
  status: number | null;
  durationMs: number;
  /** Null for an answer of 2xx. */
  error: AttemptFailure | null;
  /** Of the receiver; null if it named none. */
  retryAfterMs: number | null;
}

export const failure = (code: string, message: string): AttemptFailure => ({
  code,
  message: message.slice(0, MESSAGE_MAX),
});

/** Also if the request cannot be made, such as for want of a secret, that is a failed attempt. Never throws. */
export async function attempted(send: () => Promise<AttemptResult>): Promise<AttemptResult> {
  const at = new Date();
  const begun = performance.now();
  try {
    return await send();
  } catch (error) {
    const { code, message } = error instanceof AppError ? error : { code: 'SERVER_ERROR', message: UNSENT };
    const durationMs = Math.round(performance.now() - begun);
    return { at: at.toISOString(), status: null, durationMs, error: failure(code, message), retryAfterMs: null };
  }
}

/** An attempt that ended before a request was made. */
export const failedAttempt = (code: string, message: string): AttemptResult => ({
  at: new Date().toISOString(),
  status: null,
  durationMs: 0,
  error: failure(code, message),
  retryAfterMs: null,
});

const UNSENT = 'The request could not be made; the log says why.';

/** Signs and sends one attempt. Never throws; nothing of the answer is read but its status and Retry-After. */
export async function sendWebhook(egress: Egress, request: WebhookRequest): Promise<AttemptResult> {
  const at = new Date();
  const begun = performance.now();
  // `outside` may wait for its turn after the answer: that is no time of the receiver.
  let ended: number | undefined;
  const result = (status: number | null, error: AttemptFailure | null, retryAfter?: string): AttemptResult => ({
    at: at.toISOString(),
    status,
    durationMs: Math.round((ended ?? performance.now()) - begun),
    error,
    retryAfterMs: readRetryAfter(retryAfter),
  });
  try {
    const signed = { ...request.headers, ...signedHeaders(request, at) };
    const send = (): ReturnType<Egress['request']> =>
      egress
        .request({
          spaceId: request.spaceId,
          ...(request.pool === undefined ? {} : { pool: request.pool }),
          url: request.url,
          method: 'POST',
          headers: signed,
          body: request.body,
          timeoutMs: DELIVERY_TIMEOUT_MS,
          redirects: 0,
          statusOnly: true,
        })
        .finally(() => {
          ended = performance.now();
        });
    const { status, headers } = await (request.outside ?? directly)(send);
    return result(status, statusError(status), headers['retry-after']);
  } catch (error) {
    return result(null, connectionError(toAppError(error)));
  }
}

/** The time is the attempt's. */
function signedHeaders({ id, body, secrets, userAgent }: WebhookRequest, at: Date): Record<string, string> {
  return {
    'content-type': 'application/json',
    'user-agent': userAgent,
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, at, body)).join(' '),
  };
}

function statusError(status: number): AttemptFailure | null {
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400) return failure('REDIRECT', `The receiver redirects (${status}).`);
  return failure('HTTP_STATUS', `The receiver answered ${status}.`);
}

function connectionError({ code }: AppError): AttemptFailure {
  switch (code) {
    case 'TIMEOUT':
      return failure('TIMEOUT', `The receiver did not answer within ${DELIVERY_TIMEOUT_MS / 1000} seconds.`);
    case 'VALIDATION_ERROR':
      return failure('ADDRESS_NOT_ALLOWED', 'The address is not on the public internet, or its port is not open.');
    default:
      return failure('UNREACHABLE', 'The receiver could not be reached, or closed the connection.');
  }
}
