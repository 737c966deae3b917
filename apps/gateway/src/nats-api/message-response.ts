import { type OutgoingHttpHeaders, validateHeaderName, validateHeaderValue } from 'node:http';
import { Writable } from 'node:stream';
import type { MessageRequest } from './message-request';

type HeaderValue = number | string | string[];
type Callback = (error?: Error | null) => void;

export interface MessageAnswer {
  status: number;
  headers: Readonly<Record<string, HeaderValue>>;
  /** Whole, or in pieces that are read only as fast as they are taken. */
  body: Buffer | AsyncIterable<Buffer>;
  /** As a client that closes its connection. */
  leave(): void;
}

export interface AnswerListener {
  /** Its status and headers are final. */
  onAnswer: (answer: MessageAnswer) => void;
  /** It was broken off before that. */
  onBroken: (error: Error) => void;
}

const NONE = Buffer.alloc(0);
const brokenOff = (): Error => new Error('the answer was broken off');

/** Fastify recognizes it by its code, which is Node's. */
class HeadersSentError extends Error {
  readonly code = 'ERR_HTTP_HEADERS_SENT';

  constructor() {
    super('the headers of this answer were sent already');
  }
}

/**
 * Routes write their answers to it as to Node's response to an HTTP request. An answer that is ended with its first
 * bytes is handed over whole. Any other waits, piece by piece, for its reader.
 */
export class MessageResponse extends Writable {
  statusCode = 200;
  statusMessage = '';
  headersSent = false;
  readonly sendDate = false;
  private readonly fields: Record<string, HeaderValue> = {};
  private isAnswered = false;
  /** Written, and not read yet. */
  private piece: { bytes: Buffer; taken: Callback } | undefined;
  private wake: (() => void) | undefined;

  constructor(
    readonly req: MessageRequest,
    private readonly listener: AnswerListener,
  ) {
    super();
  }

  get socket(): MessageRequest['socket'] {
    return this.req.socket;
  }

  get finished(): boolean {
    return this.writableEnded;
  }

  setHeader(name: string, value: HeaderValue | undefined): this {
    if (this.headersSent) throw new HeadersSentError();
    validateHeaderName(name);
    if (Array.isArray(value)) for (const each of value) validateHeaderValue(name, each);
    else validateHeaderValue(name, value as string);
    this.fields[name.toLowerCase()] = value as HeaderValue;
    return this;
  }

  appendHeader(name: string, value: string | readonly string[]): this {
    const before = this.getHeader(name);
    const values = (before === undefined ? [] : [before].flat()).map(String).concat(value);
    return this.setHeader(name, values.length === 1 ? values[0] : values);
  }

  getHeader(name: string): HeaderValue | undefined {
    return this.fields[name.toLowerCase()];
  }

  getHeaders(): Record<string, HeaderValue> {
    return { ...this.fields };
  }

  getHeaderNames(): string[] {
    return Object.keys(this.fields);
  }

  hasHeader(name: string): boolean {
    return this.getHeader(name) !== undefined;
  }

  removeHeader(name: string): void {
    if (this.headersSent) throw new HeadersSentError();
    Reflect.deleteProperty(this.fields, name.toLowerCase());
  }

  writeHead(status: number, ...more: (string | OutgoingHttpHeaders | undefined)[]): this {
    if (this.headersSent) throw new HeadersSentError();
    for (const headers of more)
      if (typeof headers === 'object') for (const name in headers) this.setHeader(name, headers[name]);
    this.statusCode = status;
    this.headersSent = true;
    return this;
  }

  flushHeaders(): void {
    if (!this.headersSent) this.writeHead(this.statusCode);
    if (!this.isAnswered) this.answer(this.pieces());
  }

  /** Hints and trailers have no place in a message. */
  addTrailers(): void {}

  writeContinue(): void {}

  writeEarlyHints(): void {}

  setTimeout(): this {
    return this;
  }

  override write(chunk: unknown, encoding?: BufferEncoding | Callback | null, callback?: Callback | null): boolean {
    if (!this.writableEnded && !this.destroyed) this.flushHeaders();
    const done = typeof encoding === 'function' ? encoding : (callback ?? undefined);
    if (this.hasNoBody()) {
      if (done) process.nextTick(done);
      return true;
    }
    return super.write(chunk, typeof encoding === 'string' ? encoding : 'utf8', done);
  }

  override end(chunk?: unknown, encoding?: BufferEncoding | Callback | null, callback?: Callback | null): this {
    if (typeof chunk === 'function') return this.end(null, null, chunk as Callback);
    if (typeof encoding === 'function') return this.end(chunk, null, encoding);
    // A second end has no effect, and so has one after the reader has left.
    if (this.writableEnded || this.destroyed) return this;
    const isEmpty = chunk === undefined || chunk === null;
    if (this.isAnswered) {
      if (!isEmpty) this.write(chunk, encoding);
    } else {
      if (!this.headersSent) this.writeHead(this.statusCode);
      this.answer(isEmpty || this.hasNoBody() ? NONE : bytesOf(chunk, encoding));
    }
    return super.end(callback ?? undefined);
  }

  override _write(bytes: Buffer, _encoding: BufferEncoding, taken: Callback): void {
    // Its writer may use the memory again.
    this.piece = { bytes: Buffer.from(bytes), taken };
    this.wake?.();
  }

  /** An error has no listener here: the answer just breaks off. */
  override _destroy(_error: Error | null, callback: Callback): void {
    if (!this.isAnswered) {
      this.isAnswered = true;
      this.listener.onBroken(brokenOff());
    }
    this.wake?.();
    callback(null);
  }

  private hasNoBody(): boolean {
    return this.req.method === 'HEAD' || this.statusCode === 204 || this.statusCode === 304;
  }

  private answer(body: MessageAnswer['body']): void {
    this.isAnswered = true;
    const leave = (): void => {
      this.destroy();
    };
    this.listener.onAnswer({ status: this.statusCode, headers: this.fields, body, leave });
  }

  private async *pieces(): AsyncGenerator<Buffer> {
    this.once('finish', () => this.wake?.());
    for (;;) {
      const { piece } = this;
      if (piece) {
        this.piece = undefined;
        piece.taken();
        yield piece.bytes;
      } else if (this.writableFinished) return;
      else if (this.destroyed) throw brokenOff();
      else
        await new Promise<void>((resolve) => {
          this.wake = resolve;
        });
    }
  }
}

function bytesOf(chunk: unknown, encoding?: BufferEncoding | null): Buffer {
  if (typeof chunk === 'string') return Buffer.from(chunk, encoding ?? 'utf8');
  const { buffer, byteOffset, byteLength } = chunk as Uint8Array;
  return Buffer.from(buffer, byteOffset, byteLength);
}
