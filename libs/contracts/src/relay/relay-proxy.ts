import type { AppError } from '@switchyard/kernel';
import type { Cause, Identity } from '../call-context';

/**
 * Proxied HTTP responses bypass the bus, so as not to delay its messages: they go from the relay's internal port to the
 * gateway over multiplexed keep-alive connections.
 */
export const RELAY_PROXY_PATH = '/relay/proxy';

/** A proxied call without its body. */
export interface ProxyCallHead {
  ctx: Identity & Cause & { requestId: string; traceparent?: string };
  method: 'GET' | 'POST';
  /** The path after /models/v1/, with its query. */
  target: string;
  /** The caller's headers that may go upstream. */
  headers: Record<string, string>;
}

/** Header of a proxied call: JSON after its signature and a line feed, before the caller's body. */
export interface ProxyHead extends ProxyCallHead {
  /** The SHA-256 of the body, in base64url. */
  digest: string;
}

/** Header of a response, before its bytes. */
export interface ProxyAnswer {
  status: number;
  headers: Record<string, string>;
}

/** Reads the response of a call that is served in the same process. */
export interface ProxyReader {
  /** The head, and the first bytes, or all of them if they are as many as the header `content-length` says. */
  answer(head: ProxyAnswer, bytes: Uint8Array): void;
  /** Undefined where more may come at once. */
  write(bytes: Uint8Array): Promise<void> | undefined;
  drained(): Promise<void> | undefined;
  end(): void;
  /** Refuses, or breaks off what has begun. */
  fail(error: AppError): void;
}

/** Serves the calls of a gateway in the same process by the same rules, without connection, signature and digest. */
export interface InProcessProxy {
  /** If false, calls go over a connection: the relay has not started yet, or stops. */
  readonly isOpen: boolean;
  /** Nothing is read any more after `abort`. */
  ask(head: ProxyCallHead, body: Buffer | null, reader: ProxyReader): { abort(): void };
}

/** HTTP headers of a gateway of 0.1.0; the body is the caller's. */
export const RELAY_PROXY_HEADERS = {
  /** The context: base64url of its JSON. */
  ctx: 'x-switchyard-ctx',
  /** The SHA-256 of the body, in base64url. */
  digest: 'x-switchyard-digest',
  /** Signature of the other headers. */
  seal: 'x-switchyard-seal',
  method: 'x-switchyard-method',
  /** The path after /models/v1/, with its query. */
  target: 'x-switchyard-target',
  /** Set if the response is our error as JSON, not the upstream's. */
  error: 'x-switchyard-error',
} as const;

/** The signed text of a proxied request: context, method, target and body. */
export const proxySealedText = (headers: Readonly<Record<string, unknown>>): string =>
  [RELAY_PROXY_HEADERS.ctx, RELAY_PROXY_HEADERS.method, RELAY_PROXY_HEADERS.target, RELAY_PROXY_HEADERS.digest]
    .map((name) => String(headers[name]))
    .join('\n');
