import { AppError } from '@switchyard/kernel';
import type { ServiceMessage } from '@switchyard/messaging';
import { PROTOCOL, PROTOCOL_HEADER } from '../turn-events/stream-protocol';

export type MessageHeaders = ServiceMessage['headers'];

/** Headers of a message that become headers of the request; all others are dropped. */
const REQUEST_HEADERS: Readonly<Record<string, string>> = {
  'switchyard-request-id': 'x-request-id',
  traceparent: 'traceparent',
  'idempotency-key': 'idempotency-key',
  'if-match': 'if-match',
  'switchyard-stream-protocol': PROTOCOL_HEADER,
  'switchyard-last-frame': 'last-event-id',
  'switchyard-cause': 'switchyard-cause',
};

/** Headers of the answer that a message has too. */
const ANSWER_HEADERS: Readonly<Record<string, string>> = {
  'x-request-id': 'Switchyard-Request-Id',
  'retry-after': 'Retry-After',
  'ratelimit-limit': 'RateLimit-Limit',
  'ratelimit-remaining': 'RateLimit-Remaining',
  'ratelimit-reset': 'RateLimit-Reset',
  'idempotency-replayed': 'Idempotency-Replayed',
  etag: 'ETag',
};

/** The one value of a header; throws where it stands twice. */
export function headerOf(headers: MessageHeaders, name: string): string | undefined {
  const values = headers.get(name);
  if (values === undefined) return undefined;
  if (values.length > 1) throw new AppError('VALIDATION_ERROR', `The header ${name} may be there only once.`);
  return values[0];
}

/** As Node reads a header of HTTP: its bytes as Latin-1. */
const asRead = (value: string): string => Buffer.from(value, 'utf8').toString('latin1');

export function requestHeaders(headers: MessageHeaders, bodyBytes: number): Record<string, string> {
  const taken: Record<string, string> = { [PROTOCOL_HEADER]: PROTOCOL, host: 'nats', 'user-agent': 'nats' };
  if (bodyBytes > 0) taken['content-type'] = 'application/json';
  if (headers.size === 0) return taken;
  for (const [name, http] of Object.entries(REQUEST_HEADERS)) {
    const value = headerOf(headers, name);
    if (value !== undefined) taken[http] = asRead(value);
  }
  return taken;
}

export interface AnswerHead {
  status: number;
  headers: Readonly<Record<string, unknown>>;
}

/** `code` is that of the error body, for 400 and above. */
export function answerHeaders({ status, headers }: AnswerHead, code?: string): Record<string, string> {
  const given: Record<string, string> = { 'Switchyard-Status': String(status) };
  for (const [http, name] of Object.entries(ANSWER_HEADERS)) {
    const value = headers[http];
    if (typeof value === 'string' || typeof value === 'number') given[name] = String(value);
  }
  if (status >= 400) {
    given['Nats-Service-Error-Code'] = String(status);
    given['Nats-Service-Error'] = code ?? 'SERVER_ERROR';
  }
  return given;
}
