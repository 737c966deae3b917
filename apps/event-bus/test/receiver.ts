import { type IncomingHttpHeaders, type Server, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
  at: number;
}

type Respond = (received: Received, response: ServerResponse, count: number) => void;

/** Where webhooks arrive. 127.0.0.2 is open to outgoing calls in tests, 127.0.0.1 is not. */
export class Receiver {
  readonly received: Received[] = [];
  /** Requests without an answer, now and at most. */
  open = 0;
  most = 0;
  private constructor(
    private readonly server: Server,
    readonly origin: string,
  ) {}

  static async open(answer: Respond = (_, response) => response.writeHead(200).end(), host = '127.0.0.2') {
    const server = createServer((request, response) => {
      receiver.open += 1;
      receiver.most = Math.max(receiver.most, receiver.open);
      response.on('close', () => (receiver.open -= 1));
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const body = Buffer.concat(chunks).toString();
        const received = { path: request.url ?? '', headers: request.headers, body, at: Date.now() };
        receiver.received.push(received);
        answer(received, response, receiver.received.length);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, host, resolve));
    const receiver: Receiver = new Receiver(server, `http://${host}:${(server.address() as AddressInfo).port}`);
    return receiver;
  }

  get url(): string {
    return `${this.origin}/hook/secret-path`;
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}

export const withStatus =
  (statusOf: (count: number) => number): Respond =>
  (_, response, count) =>
    response.writeHead(statusOf(count)).end();
