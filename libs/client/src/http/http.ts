import { checkApiVersion } from '../api/version';
import { ApiVersionError, ConnectionError, errorOf, SwitchyardError } from './errors';
import type { ClientOptions, Query, RequestOptions } from './options';
import { pause, retryPauseMs } from './retry-backoff';
import { type FailedRequest, noteRequest } from './describe-failed-request';

/** Bodies that are sent unchanged. */
export type FileBody = string | Uint8Array<ArrayBuffer> | Blob | ReadableStream<Uint8Array>;

export interface HttpRequest extends RequestOptions {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Relative to `{baseUrl}/api`, or to the root that is named. */
  path: string;
  root?: '/models/v1';
  query?: Query;
  body?: unknown;
  /** In place of a body that is JSON; its kind is said in the headers. */
  file?: FileBody;
}

/** The success envelope. Some answers have siblings of `data`. */
export interface Envelope<T> {
  success: true;
  message: string;
  data: T;
  page?: { limit: number; nextCursor: string | null };
}

const RETRIED_STATUSES = new Set([429, 502, 503, 504]);

/** Only what can be repeated without doing it twice is tried again. */
const isRepeatable = (request: HttpRequest): boolean =>
  request.method !== 'POST' || request.idempotencyKey !== undefined;

/** Headers hold bytes: text beyond ASCII is sent as UTF-8. */
const asBytes = (text: string): string => String.fromCharCode(...new TextEncoder().encode(text));

export class Http {
  private readonly fetch: typeof fetch;
  readonly timeoutMs: number;
  private readonly attempts: number;

  constructor(readonly options: ClientOptions) {
    // Called as it is: a browser's fetch refuses to be a method of something else.
    this.fetch = options.fetch ?? ((input, init) => fetch(input, init));
    this.timeoutMs = options.timeoutMs ?? 60_000;
    this.attempts = options.attempts ?? 3;
  }

  /** The parsed answer. Throws SwitchyardError for a refusal and ConnectionError where there is no answer. */
  async json<T>(request: HttpRequest): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const signals = [AbortSignal.timeout(this.timeoutMs), ...(request.signal ? [request.signal] : [])];
        const response = await this.send({ ...request, signal: AbortSignal.any(signals) });
        if (!response.ok) throw await errorOf(response);
        return (await response.json()) as T;
      } catch (error) {
        const last = attempt >= this.attempts || !isRepeatable(request) || request.signal?.aborted === true;
        if (last || !worthAnotherTry(error)) throw error;
        await pause(retryPauseMs(attempt, error), request.signal);
      }
    }
  }

  async data<T>(request: HttpRequest): Promise<T> {
    return (await this.json<Envelope<T>>(request)).data;
  }

  /** An answer that is no envelope, as it comes. Throws SwitchyardError for a refusal. */
  async file(request: HttpRequest): Promise<ReadableStream<Uint8Array>> {
    const response = await this.send(request);
    if (!response.ok || !response.body) throw await errorOf(response);
    return response.body;
  }

  /** The response as it comes, refusals included. */
  async send(request: HttpRequest): Promise<Response> {
    const { credential, baseUrl } = this.options;
    const token = typeof credential === 'string' ? credential : await credential();
    const url = new URL(`${baseUrl.replace(/\/+$/u, '')}${request.root ?? '/api'}${request.path}`);
    for (const [name, value] of Object.entries(request.query ?? {})) {
      for (const one of Array.isArray(value) ? value : [value])
        if (one !== undefined) url.searchParams.append(name, String(one));
    }
    const headers: Record<string, string> = { authorization: `Bearer ${token}`, ...request.headers };
    if (request.body !== undefined) headers['content-type'] = 'application/json';
    if (request.idempotencyKey !== undefined) headers['idempotency-key'] = asBytes(request.idempotencyKey);
    const response = await this.answer(request, url, headers);
    checkApiVersion(response.headers);
    return response;
  }

  private async answer(request: HttpRequest, url: URL, headers: Record<string, string>): Promise<Response> {
    const { method, body } = request;
    const requested: FailedRequest = {
      method,
      path: `${url.pathname}${url.search}`,
      ...(body === undefined ? {} : { body }),
    };
    try {
      const response = await this.fetch(url, {
        method: request.method,
        headers,
        body: request.body === undefined ? request.file : JSON.stringify(request.body),
        signal: request.signal,
        // Required by fetch for streamed bodies.
        ...(request.file instanceof ReadableStream ? { duplex: 'half' } : {}),
      });
      return noteRequest(response, requested);
    } catch (error) {
      throw noteRequest(new ConnectionError(`${method} ${url.pathname} got no answer.`, { cause: error }), requested);
    }
  }
}

const worthAnotherTry = (error: unknown): boolean =>
  error instanceof SwitchyardError ? RETRIED_STATUSES.has(error.status) : !(error instanceof ApiVersionError);
