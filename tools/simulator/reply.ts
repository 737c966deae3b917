import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Answer } from './answer';

export async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
}

/** The model that a request names, or the one that it means. */
export const modelIn = (body: Record<string, unknown>, usual: string): string =>
  typeof body['model'] === 'string' ? body['model'] : usual;

const HEADERS = { 'x-simulator': 'switchyard' };

export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  response.writeHead(status, {
    ...HEADERS,
    ...headers,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
  });
  response.end(text);
}

const TYPES: Record<number, string> = { 401: 'authentication_error', 404: 'not_found_error', 429: 'rate_limit_error' };

export function sendError(
  response: ServerResponse,
  status: number,
  message: string,
  param: string | null = null,
): void {
  const type = TYPES[status] ?? (status < 500 ? 'invalid_request_error' : 'server_error');
  const headers: Record<string, string> = status === 429 ? { 'retry-after': '1' } : {};
  sendJson(response, status, { error: { message, type, param, code: null } }, headers);
}

export const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Chunks without a delay are gathered into writes of this size, so that the simulator is never what is measured. */
const GATHER_BYTES = 16_384;

/** An event stream that writes what it is told, waits where it is told, and notices a reader that left or is slow. */
export class EventStream {
  private gathered = '';
  private open = false;

  constructor(private readonly response: ServerResponse) {}

  get isGone(): boolean {
    return this.response.destroyed;
  }

  async send(event: string, delayMs: number): Promise<void> {
    if (delayMs > 0) {
      this.flush();
      await wait(delayMs);
    }
    this.gathered += event;
    if (delayMs > 0) this.flush();
    else if (this.gathered.length >= GATHER_BYTES && !this.flush()) await this.drained();
  }

  end(last: string): void {
    this.gathered += last;
    this.flush();
    this.response.end();
  }

  /** Sends the buffered data, then closes the connection. */
  async cut(): Promise<void> {
    this.flush();
    if (this.open) await wait(20);
    this.response.destroy();
  }

  private flush(): boolean {
    if (this.response.destroyed) return true;
    if (!this.open) {
      this.open = true;
      this.response.writeHead(200, {
        ...HEADERS,
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-cache',
      });
      this.response.flushHeaders();
    }
    if (this.gathered === '') return true;
    const text = this.gathered;
    this.gathered = '';
    return this.response.write(text);
  }

  private drained(): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        this.response.off('drain', done).off('close', done);
        resolve();
      };
      this.response.once('drain', done).once('close', done);
    });
  }
}

/** The time that an answer in one piece takes, and the cut that may end it. Returns false when the connection was cut. */
export async function playWhole(response: ServerResponse, answer: Answer): Promise<boolean> {
  const written = [...answer.thinking, ...answer.tokens];
  const shown = answer.cutAfter === null ? written : written.slice(0, answer.cutAfter);
  const ms =
    shown.reduce((sum, token) => sum + token.delayMs, 0) + (answer.tokens.length === 0 ? answer.tailDelayMs : 0);
  if (ms > 0) await wait(ms);
  if (answer.cutAfter === null) return true;
  if (answer.cutAfter > 0 && !response.destroyed) {
    response.writeHead(200, { ...HEADERS, 'content-type': 'application/json' });
    response.write('{"id":"cut",');
    await wait(20);
  }
  response.destroy();
  return false;
}
