import type { WebhookEvent } from '../webhooks/event';
import { type NatsAccountOptions, type NatsConnection, type NatsMessage, headersOf, natsHeaders } from './connection';
import { natsFetch } from './nats-fetch';

export interface ReceiveOptions extends NatsAccountOptions {
  /** Name of the endpoint. */
  endpoint: string;
  /** Subscribers of one queue share the events. Default: the name of the endpoint. */
  queue?: string;
}

export interface ReceivedContext {
  /** For requests that this event causes: they name it as their cause. */
  fetch: typeof fetch;
  /** Of the message, by name in lower case; `webhook-id` is the same for each retry. */
  headers: ReadonlyMap<string, string>;
  /** Begins the time for the reply anew, as often as you need. */
  progress: () => void;
}

export type EventHandler<Data = Record<string, unknown>> = (
  event: WebhookEvent<Data>,
  context: ReceivedContext,
) => Promise<void> | void;

/** Thrown by a handler: the event is not sent again. */
export class DiscardEvent extends Error {}

const TEXT_MAX = 200;
const UNPRINTABLE = /[^\x20-\x7e]+/g;

const printable = (text: string): string => text.replace(UNPRINTABLE, ' ').trim().slice(0, TEXT_MAX);

/**
 * Receives the events of an endpoint. A handler that returns acknowledges its event; one that throws fails, and the
 * event comes again later: after `retryAfterSeconds` of the error, where it has that. Events have no order, and may come
 * twice.
 */
export function receive<Data = Record<string, unknown>>(
  connection: NatsConnection,
  { account, endpoint, queue = endpoint }: ReceiveOptions,
  handler: EventHandler<Data>,
): { stop: () => Promise<void> } {
  const running = new Set<Promise<void>>();
  const send = natsFetch(connection, { account });
  const subscription = connection.subscribe(`switchyard-out.v1.${account}.${endpoint}`, {
    queue,
    callback: (error, message) => {
      if (error) return;
      const work = handle(message, send, handler).finally(() => running.delete(work));
      running.add(work);
    },
  });
  return {
    stop: async () => {
      await subscription.drain();
      await Promise.all(running);
    },
  };
}

async function handle<Data>(message: NatsMessage, send: typeof fetch, handler: EventHandler<Data>): Promise<void> {
  const reply = (headers: Record<string, string>): void => {
    message.respond('', { headers: natsHeaders(headers) });
  };
  try {
    const event = JSON.parse(new TextDecoder().decode(message.data)) as WebhookEvent<Data>;
    await handler(event, {
      fetch: withCause(send, event.envelopeId),
      headers: headersOf(message),
      progress: () => {
        reply({ 'Switchyard-Progress': 'true' });
      },
    });
    message.respond();
  } catch (error) {
    reply(failureHeaders(error));
  }
}

function withCause(send: typeof fetch, envelopeId: string | undefined): typeof fetch {
  if (envelopeId === undefined) return send;
  return (input, init = {}) => {
    const headers = new Headers(init.headers ?? (input instanceof Request ? input.headers : undefined));
    headers.set('switchyard-cause', envelopeId);
    return send(input, { ...init, headers });
  };
}

function failureHeaders(error: unknown): Record<string, string> {
  const {
    message = '',
    status,
    retryAfterSeconds,
  } = error as {
    message?: string;
    status?: unknown;
    retryAfterSeconds?: unknown;
  };
  const text = printable(message) || 'The handler failed.';
  if (error instanceof DiscardEvent) return { 'Switchyard-Discard': text };
  return {
    'Switchyard-Error': text,
    ...(typeof status === 'number' && status >= 400 && status <= 599
      ? { 'Nats-Service-Error-Code': String(status) }
      : {}),
    ...(typeof retryAfterSeconds === 'number' ? { 'Retry-After': String(Math.ceil(retryAfterSeconds)) } : {}),
  };
}
