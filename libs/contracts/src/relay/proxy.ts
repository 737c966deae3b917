import type { Cause, Identity } from '../ctx';

/**
 * The relay's HTTP answers are bytes that no message of the bus must hold up, so they go from the relay's internal port
 * straight to the gateway: over kept connections that carry many calls at once.
 */
export const RELAY_PROXY_PATH = '/relay/proxy';

/** What is said of a proxied call before the caller's body, as JSON behind its seal and a line feed. */
export interface ProxyHead {
  ctx: Identity & Cause & { requestId: string; traceparent?: string };
  method: 'GET' | 'POST';
  /** What follows /models/v1/, with its query. */
  target: string;
  /** The SHA-256 of the body, in base64url. */
  digest: string;
  /** Those of the caller's that an upstream may see. */
  headers: Record<string, string>;
}

/** What is said of an answer before its bytes. */
export interface ProxyAnswer {
  status: number;
  headers: Record<string, string>;
}

/** For a relay or a gateway of the version before, which speak HTTP here: the caller's body as it is, and these headers. */
export const RELAY_PROXY_HEADERS = {
  /** The context: base64url of its JSON. */
  ctx: 'x-switchyard-ctx',
  /** The SHA-256 of the body, in base64url. */
  digest: 'x-switchyard-digest',
  /** Vouches for the headers above and below. */
  seal: 'x-switchyard-seal',
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
  /** Of the version before, which sealed nothing but the identity. */
  seal?: { iss: string; aud: string; exp: number; sig: string };
}

/** What the seal of a proxied request is of: another context, method, target or body has another one. */
export const proxySealedText = (headers: Readonly<Record<string, unknown>>): string =>
  [RELAY_PROXY_HEADERS.ctx, RELAY_PROXY_HEADERS.method, RELAY_PROXY_HEADERS.target, RELAY_PROXY_HEADERS.digest]
    .map((name) => String(headers[name]))
    .join('\n');
