import { type IncomingMessage, type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
  headers: IncomingMessage['headers'];
  body: string;
  at: number;
}

/** Where callbacks arrive. 127.0.0.2 is open to outgoing calls in tests, 127.0.0.1 is not. */
export class Listener {
  readonly received: Received[] = [];
  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async open(
    statusOf: (count: number) => number = () => 200,
    host = '127.0.0.2',
    headers: Record<string, string> = {},
  ): Promise<Listener> {
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        listener.received.push({ headers: request.headers, body: Buffer.concat(chunks).toString(), at: Date.now() });
        response.writeHead(statusOf(listener.received.length), headers).end();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, host, resolve));
    const listener: Listener = new Listener(server, `http://${host}:${(server.address() as AddressInfo).port}/hook`);
    return listener;
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}
