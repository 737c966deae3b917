import type { Client } from '@switchyard/testing';
import { type NatsAccount, type NatsAnswer, type SentHeaders } from './nats-account';

/** Ids, times and measured durations differ between two runs of the same request. */
const VOLATILE =
  /"(?:[a-zA-Z]*[iI]d|[a-zA-Z]*At|timestamp|serverTime|deadline|execution_time|latencyMs|durationMs|ms)":(?:"[^"]*"|[\d.]+)|[0-9a-f]{8}-[0-9a-f-]{27}/g;
const steady = (body: unknown): string => JSON.stringify(body ?? null).replace(VOLATILE, '-');

/** Headers of an answer: the same over both transports, or of the same form where the value depends on the time. */
const HEADERS: Readonly<Record<string, { nats: string; isCounted: boolean }>> = {
  'x-request-id': { nats: 'Switchyard-Request-Id', isCounted: true },
  'retry-after': { nats: 'Retry-After', isCounted: true },
  'ratelimit-limit': { nats: 'RateLimit-Limit', isCounted: false },
  'ratelimit-remaining': { nats: 'RateLimit-Remaining', isCounted: true },
  'ratelimit-reset': { nats: 'RateLimit-Reset', isCounted: true },
  'idempotency-replayed': { nats: 'Idempotency-Replayed', isCounted: false },
  etag: { nats: 'ETag', isCounted: false },
};

const formOf = (value: string | undefined, isCounted: boolean): string | null => {
  if (value === undefined) return null;
  if (!isCounted) return value;
  return /^\d+$/.test(value) ? 'a number' : 'a text';
};

export interface Compared {
  status: number;
  code: unknown;
  body: string;
  headers: Record<string, string | null>;
}

export interface ComparedStream extends Compared {
  /** Of each frame, its number and data. */
  frames: [string, string][];
}

const headersOf = (valueOf: (name: string, nats: string) => string | undefined): Compared['headers'] =>
  Object.fromEntries(
    Object.entries(HEADERS).map(([name, { nats, isCounted }]) => [name, formOf(valueOf(name, nats), isCounted)]),
  );

const natsCompared = ({ status, body, headers }: NatsAnswer): Compared => ({
  status,
  code: headers['Nats-Service-Error'],
  // Of a missing scope, each transport names its own kind of credential.
  body: steady(body).replace('The NATS account lacks', 'The key lacks'),
  headers: headersOf((_, nats) => headers[nats]),
});

export async function overNats(
  account: NatsAccount,
  operation: string,
  body?: unknown,
  headers: SentHeaders = {},
): Promise<Compared> {
  return natsCompared(await account.request(operation, body, headers));
}

export async function overHttp(
  client: Client,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Compared> {
  const all = { 'x-service-stream-protocol': 'stream-v3', ...headers };
  const reply = await client.raw(method, path, body, { headers: all });
  return {
    status: reply.status,
    code: reply.status >= 400 ? reply.body.code : undefined,
    body: steady(reply.body),
    headers: headersOf((name) => reply.headers[name]),
  };
}

/** A stream, or the one message of its refusal. */
export async function streamOverNats(
  account: NatsAccount,
  operation: string,
  body?: unknown,
  headers: SentHeaders = {},
): Promise<ComparedStream> {
  const messages = await account.stream(operation, body, { headers });
  const frames = messages.filter((message) => message.headers['Switchyard-Frame'] !== undefined);
  const end = messages.at(-1);
  if (end?.headers['Switchyard-End'] !== 'true') throw new Error(`${operation} has no end`);
  return {
    ...natsCompared(end),
    frames: frames.map((frame) => [frame.headers['Switchyard-Frame'] ?? '', steady(frame.body)]),
  };
}

export async function streamOverHttp(
  client: Client,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<ComparedStream> {
  const all = { 'x-service-stream-protocol': 'stream-v3', accept: 'text/event-stream', ...headers };
  const reply = await client.rawStream(method, path, body, { headers: all });
  const isStream = reply.headers['content-type']?.startsWith('text/event-stream') === true;
  const frames = isStream ? await reply.all() : [];
  return {
    status: reply.status,
    code: reply.status >= 400 ? reply.body.code : undefined,
    body: steady(reply.body),
    headers: headersOf((name) => reply.headers[name]),
    frames: frames.map(({ id = '', data }) => [id, steady(data)]),
  };
}
