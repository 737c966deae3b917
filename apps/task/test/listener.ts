import { type IncomingMessage, type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Heard {
  method: string;
  path: string;
  headers: IncomingMessage['headers'];
  body: string;
}

type Answering = (
  received: Heard,
  count: number,
) =>
  | { status?: number; body?: unknown; headers?: Record<string, string>; delayMs?: number; after?: Promise<void> }
  | undefined;

/** An address that steps and callbacks may reach, and that remembers what it heard. */
export class Listener {
  readonly heard: Heard[] = [];
  /** Those that have got their answer, or have given it up. */
  readonly over: Heard[] = [];
  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async open(answer: Answering = () => undefined, host = '127.0.0.2'): Promise<Listener> {
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const received = {
          method: request.method ?? '',
          path: request.url ?? '',
          headers: request.headers,
          body: Buffer.concat(chunks).toString(),
        };
        listener.heard.push(received);
        const {
          status = 200,
          body = { ok: true },
          headers = {},
          delayMs = 0,
          after = Promise.resolve(),
        } = answer(received, listener.heard.length) ?? {};
        const text = typeof body === 'string' ? body : JSON.stringify(body);
        response.on('close', () => listener.over.push(received));
        const reply = (): unknown =>
          response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text);
        // Abandoned requests get no response.
        void after.then(() => setTimeout(reply, delayMs).unref());
      });
    });
    await new Promise<void>((resolve) => server.listen(0, host, resolve));
    const listener: Listener = new Listener(server, `http://${host}:${(server.address() as AddressInfo).port}`);
    return listener;
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}
