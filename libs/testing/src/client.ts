import { Agent, type BodyInit, type Response, fetch } from 'undici';
import { type Answer, parseAnswer } from './parse-response';
import { logCall } from './api-coverage-log';
import { type SseFrame, readFrames } from './event-stream';

export interface Reply {
  status: number;
  /** Parsed when it is JSON, else the text. */
  body: Answer;
  headers: Record<string, string>;
}

export interface StreamReply {
  status: number;
  headers: Record<string, string>;
  /** Only when the answer is an event stream; else `body` holds what came instead. */
  frames: AsyncGenerator<SseFrame>;
  body: Answer;
  /** All frames to the end of the stream. */
  all(): Promise<SseFrame[]>;
}

export interface RequestOptions {
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

// A connection of a service that was killed must not be used again for the next test's request.
const dispatcher = new Agent({ keepAliveTimeout: 1_000, headersTimeout: 120_000, bodyTimeout: 120_000 });

/** Speaks to the gateway with one credential. Paths are relative to `{host}/api`, but for `raw`. */
export class Client {
  constructor(
    readonly host: string,
    /** The `Authorization` header's value, or null for none. */
    readonly authorization: string | null,
    /** Facts about whom it speaks as. */
    readonly identity: { userId?: string; keyId?: string; email?: string; password?: string } = {},
  ) {}

  /** The bare token or key. */
  get credential(): string {
    return this.authorization?.split(' ')[1] ?? '';
  }

  get(path: string, body?: undefined, options?: RequestOptions): Promise<Reply> {
    return this.raw('GET', `/api${path}`, body, options);
  }

  post(path: string, body?: unknown, options?: RequestOptions): Promise<Reply> {
    return this.raw('POST', `/api${path}`, body, options);
  }

  put(path: string, body?: unknown, options?: RequestOptions): Promise<Reply> {
    return this.raw('PUT', `/api${path}`, body, options);
  }

  patch(path: string, body?: unknown, options?: RequestOptions): Promise<Reply> {
    return this.raw('PATCH', `/api${path}`, body, options);
  }

  delete(path: string, body?: unknown, options?: RequestOptions): Promise<Reply> {
    return this.raw('DELETE', `/api${path}`, body, options);
  }

  /** A path of the host. Text and bytes are sent as they are, anything else as JSON. */
  async raw(method: string, path: string, body?: unknown, options: RequestOptions = {}): Promise<Reply> {
    const response = await this.send(method, path, body, options);
    return { status: response.status, headers: headersOf(response), body: parseAnswer(await response.text()) };
  }

  stream(path: string, body?: unknown, options?: RequestOptions): Promise<StreamReply> {
    return this.rawStream(body === undefined ? 'GET' : 'POST', `/api${path}`, body, options);
  }

  async rawStream(method: string, path: string, body?: unknown, options: RequestOptions = {}): Promise<StreamReply> {
    const response = await this.send(method, path, body, options);
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false;
    const frames = isStream && response.body ? readFrames(response.body as ReadableStream<Uint8Array>) : noFrames();
    return {
      status: response.status,
      headers: headersOf(response),
      frames,
      body: isStream ? undefined : parseAnswer(await response.text()),
      all: () => collect(frames),
    };
  }

  /** The same host with another credential. */
  as(authorization: string | null, identity: Client['identity'] = {}): Client {
    return new Client(this.host, authorization, identity);
  }

  private async send(method: string, path: string, body: unknown, options: RequestOptions): Promise<Response> {
    const isRaw = typeof body === 'string' || body instanceof Uint8Array;
    const headers: Record<string, string> = { ...(this.authorization ? { authorization: this.authorization } : {}) };
    if (body !== undefined) headers['content-type'] = 'application/json';
    const response = await fetch(`${this.host}${path}`, {
      method,
      headers: { ...headers, ...options.headers },
      body: isRaw ? (body as BodyInit) : body === undefined ? undefined : JSON.stringify(body),
      signal: options.signal,
      redirect: 'manual',
      dispatcher,
    });
    logCall(method, path, response.status);
    return response;
  }
}

const headersOf = (response: Response): Record<string, string> => Object.fromEntries(response.headers.entries());

async function collect(frames: AsyncGenerator<SseFrame>): Promise<SseFrame[]> {
  const all: SseFrame[] = [];
  for await (const frame of frames) all.push(frame);
  return all;
}

// oxlint-disable-next-line typescript/require-await
async function* noFrames(): AsyncGenerator<SseFrame> {
  throw new Error('the answer is not an event stream');
}
