import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReceivedRequest {
  path: string;
  text: string;
}

/** Tests may call this address although it is private. */
const HOST = '127.0.0.2';

/** Another host: gives back all that it is sent, and that in every form that its values can take. */
export class EchoServer {
  readonly received: ReceivedRequest[] = [];
  private server: Server | undefined;

  constructor(private readonly values: readonly string[]) {}

  async open(): Promise<string> {
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const path = request.url ?? '';
        const text = JSON.stringify([path, request.headers, Buffer.concat(chunks).toString()]);
        this.received.push({ path, text });
        response.writeHead(path.startsWith('/fail') ? 500 : 200, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ text, forms: this.values.map(formsOf) }));
      });
    });
    this.server = server;
    await new Promise<void>((resolve) => server.listen(0, HOST, resolve));
    return `http://${HOST}:${(server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.server?.close().closeAllConnections();
  }
}

const formsOf = (value: string): string[] => [
  value,
  encodeURIComponent(value),
  JSON.stringify(value),
  Buffer.from(value).toString('base64'),
  Buffer.from(`user:${value}`).toString('base64'),
];
