import {
  type NatsAccountOptions,
  type NatsConnection,
  type NatsMessage,
  headersOf,
  hasNoResponders,
  natsHeaders,
  randomToken,
} from './connection';
import { frameStream } from './frame-stream';

/** Headers of a request that a message has too; all others are left out. */
const REQUEST_HEADERS: Readonly<Record<string, string>> = {
  'x-request-id': 'Switchyard-Request-Id',
  traceparent: 'traceparent',
  'idempotency-key': 'Idempotency-Key',
  'if-match': 'If-Match',
  'x-service-stream-protocol': 'Switchyard-Stream-Protocol',
  'last-event-id': 'Switchyard-Last-Frame',
  'switchyard-cause': 'Switchyard-Cause',
};

const ANSWER_HEADERS: Readonly<Record<string, string>> = {
  'switchyard-request-id': 'x-request-id',
  'retry-after': 'retry-after',
  'ratelimit-limit': 'ratelimit-limit',
  'ratelimit-remaining': 'ratelimit-remaining',
  'ratelimit-reset': 'ratelimit-reset',
  'idempotency-replayed': 'idempotency-replayed',
  etag: 'etag',
  'switchyard-body-omitted': 'switchyard-body-omitted',
};

const WITHOUT_BODY = new Set([204, 205, 304]);

/** Headers of HTTP hold bytes, those of NATS text. */
const asText = (value: string): string =>
  new TextDecoder().decode(Uint8Array.from(value, (character) => character.charCodeAt(0)));

/**
 * A `fetch` that sends its requests over NATS, as the account of the connection. Of an address the path and the query
 * count. Give it to `new SwitchyardClient({ fetch })`: all methods work over NATS then, streams too.
 */
export function natsFetch(connection: NatsConnection, { account }: NatsAccountOptions): typeof fetch {
  return async (input, init = {}) => {
    const { url, method, headers, body, signal } = await requestOf(input, init);
    const sent: Record<string, string> = {
      'Switchyard-Method': method,
      'Switchyard-Path': `${url.pathname}${url.search}`,
    };
    for (const [name, nats] of Object.entries(REQUEST_HEADERS)) {
      const value = headers.get(name);
      if (value !== null) sent[nats] = asText(value);
    }
    return exchange(connection, account, { headers: natsHeaders(sent), body, signal });
  };
}

interface Outgoing {
  headers: object;
  body: Uint8Array;
  signal: AbortSignal | undefined;
}

interface ReadInput extends Omit<Outgoing, 'headers'> {
  url: URL;
  method: string;
  headers: Headers;
}

async function requestOf(input: Parameters<typeof fetch>[0], init: RequestInit): Promise<ReadInput> {
  const request = input instanceof Request ? input : undefined;
  const address = input instanceof Request ? input.url : String(input);
  const body = init.body ?? request?.body ?? null;
  return {
    url: new URL(address, 'http://nats'),
    method: (init.method ?? request?.method ?? 'GET').toUpperCase(),
    headers: new Headers(init.headers ?? request?.headers),
    body: body === null ? new Uint8Array() : new Uint8Array(await new Response(body).arrayBuffer()),
    signal: init.signal ?? request?.signal ?? undefined,
  };
}

function exchange(connection: NatsConnection, account: string, request: Outgoing): Promise<Response> {
  const { headers, body, signal } = request;
  signal?.throwIfAborted();
  const inbox = `_INBOX.${account}.${randomToken()}`;
  return new Promise((resolve, reject) => {
    let frames: ReturnType<typeof frameStream> | undefined;
    const unsubscribe = (): void => {
      signal?.removeEventListener('abort', onAbort);
      subscription.unsubscribe();
    };
    const fail = (error: Error): void => {
      unsubscribe();
      frames?.fail(error);
      reject(error);
    };
    const onAbort = (): void => {
      fail(signal?.reason as Error);
    };
    const take = (message: NatsMessage): void => {
      if (hasNoResponders(message)) {
        fail(new TypeError('No gateway listens: the account is unknown, or the platform is down.'));
        return;
      }
      const answer = headersOf(message);
      const isEnd = answer.get('switchyard-end') === 'true';
      const isFrame = answer.has('switchyard-frame') || answer.has('switchyard-ping');
      if (frames) {
        if (isFrame) frames.push(message, answer);
        else frames.end(answer);
        if (isEnd) unsubscribe();
      } else if (isFrame || (isEnd && message.data.length === 0 && answer.get('switchyard-status') === '200')) {
        frames = frameStream(unsubscribe);
        if (isFrame) frames.push(message, answer);
        else frames.end(answer);
        resolve(new Response(frames.body, { headers: streamHeaders(answer) }));
        if (isEnd) unsubscribe();
      } else {
        unsubscribe();
        resolve(plainAnswer(message, answer));
      }
    };
    const subscription = connection.subscribe(inbox, {
      callback: (error, message) => {
        if (error) fail(error);
        else take(message);
      },
    });
    signal?.addEventListener('abort', onAbort, { once: true });
    try {
      connection.publish(`switchyard.v1.${account}.http`, body, { reply: inbox, headers });
    } catch (error) {
      fail(error as Error);
    }
  });
}

function answerHeaders(answer: ReadonlyMap<string, string>): Headers {
  const headers = new Headers();
  for (const [nats, name] of Object.entries(ANSWER_HEADERS)) {
    const value = answer.get(nats);
    if (value !== undefined) headers.set(name, value);
  }
  return headers;
}

function streamHeaders(answer: ReadonlyMap<string, string>): Headers {
  const headers = answerHeaders(answer);
  headers.set('content-type', 'text/event-stream');
  return headers;
}

function plainAnswer({ data }: NatsMessage, answer: ReadonlyMap<string, string>): Response {
  const headers = answerHeaders(answer);
  const status = Number(answer.get('switchyard-status') ?? 502);
  if (data.length > 0) headers.set('content-type', 'application/json');
  return new Response(WITHOUT_BODY.has(status) ? null : new Uint8Array(data), { status, headers });
}
