import type { Cause, Identity } from '../ctx';

/**
 * The relay's HTTP answers are bytes that must neither be framed nor buffered on their way, so they go from the relay's
 * internal port straight to the gateway. The request carries the caller's body as it is, and these headers.
 */
export const RELAY_PROXY_PATH = '/relay/proxy';

export const RELAY_PROXY_HEADERS = {
  /** The sealed context: base64url of its JSON. */
  ctx: 'x-switchyard-ctx',
  method: 'x-switchyard-method',
  /** What follows /models/v1/, with its query. */
  target: 'x-switchyard-target',
  /** On an answer: it is not an upstream's but an error of ours, as JSON. */
  error: 'x-switchyard-error',
} as const;

/** The context of a proxied request, as the bus would carry it. */
export interface ProxyCtx extends Identity, Cause {
  requestId: string;
  traceparent?: string;
  seal?: { iss: string; aud: string; exp: number; sig: string };
}
