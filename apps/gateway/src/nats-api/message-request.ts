import { EventEmitter } from 'node:events';
import { Readable } from 'node:stream';

/** Stands for the socket of a request, which routes look at. A message has none, and there is nothing to tune. */
class MessageSocket extends EventEmitter {
  readonly destroyed = false;
  readonly writableLength = 0;

  constructor(readonly remoteAddress: string) {
    super();
  }

  cork(): void {}

  uncork(): void {}

  setNoDelay(): this {
    return this;
  }
}

export interface MessageRequestParts {
  method: string;
  /** Path and query, as they would stand in the first line of an HTTP request. */
  target: string;
  headers: Record<string, string>;
  body: Buffer;
  remoteAddress: string;
}

/** A message as the request that routes read: all of it is there, and nothing of it is copied. */
export class MessageRequest extends Readable {
  readonly httpVersion = '1.1';
  readonly httpVersionMajor = 1;
  readonly httpVersionMinor = 1;
  readonly complete = true;
  readonly aborted = false;
  readonly method: string;
  url: string;
  readonly headers: Record<string, string>;
  readonly rawHeaders: string[] = [];
  readonly socket: MessageSocket;
  private body: Buffer | null;

  constructor(
    { method, target, headers, body, remoteAddress }: MessageRequestParts,
    private readonly onBodyRead: () => void,
  ) {
    super({ autoDestroy: false });
    this.method = method;
    this.url = target;
    this.headers = body.length > 0 ? { ...headers, 'content-length': String(body.length) } : headers;
    for (const name in this.headers) this.rawHeaders.push(name, this.headers[name] ?? '');
    this.socket = new MessageSocket(remoteAddress);
    this.body = body.length > 0 ? body : null;
  }

  override _read(): void {
    const { body } = this;
    this.body = null;
    if (body) this.push(body);
    this.push(null);
    this.onBodyRead();
  }
}
