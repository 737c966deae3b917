import { IncomingMessage, Server, ServerResponse, createServer } from 'node:http';
import type { Socket } from 'node:net';
import { OFFLINE_PATH } from '@switchyard/messaging';
import { readBody } from '../http/read-limited-body';
import type { Metrics } from '../metrics';
import type { Health } from './health';
import type { InternalRoutes } from './internal-routes';

const MAX_BODY = 16 * 1024 * 1024;

type OfflineCalls = (subject: string, body: Buffer) => Promise<Uint8Array | null>;

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const body = await readBody(request, MAX_BODY);
  if (body === null) throw new Error('the body is too large');
  return body;
}

const pathOf = ({ url }: IncomingMessage): string => (url ?? '').split('?')[0] ?? '';

/** Health, metrics and the offline road of one process. Never open to the public. */
export class InternalPort {
  private readonly server: Server;

  constructor(
    private readonly health: Health,
    private readonly metrics: Metrics,
    private readonly offline: OfflineCalls,
    private readonly routes: InternalRoutes,
  ) {
    this.server = createServer((request, response) => {
      this.handle(request, response).catch(() => {
        if (!response.headersSent) response.writeHead(500);
        response.end();
      });
    });
    this.server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
      const handler = this.routes.findUpgrade(pathOf(request));
      if (handler) handler(request, socket, head);
      else socket.end('HTTP/1.1 404 Not Found\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
    });
    // Longer than callers keep an idle connection: none is closed under a request that is on its way.
    this.server.keepAliveTimeout = 65_000;
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = pathOf(request);
    const own = this.routes.find(path);
    if (own) await own(request, response);
    else if (request.method === 'POST' && path.startsWith(OFFLINE_PATH)) {
      const reply = await this.offline(path.slice(OFFLINE_PATH.length), await bodyOf(request));
      response.writeHead(reply ? 200 : 404, { 'content-type': 'application/json' }).end(reply ?? '');
    } else if (path === '/health/live') {
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"status":"live"}');
    } else if (path === '/health/ready') {
      const report = await this.health.report();
      response.writeHead(report.ready ? 200 : 503, { 'content-type': 'application/json' }).end(JSON.stringify(report));
    } else if (path === '/metrics') {
      response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4' }).end(await this.metrics.text());
    } else response.writeHead(404).end();
  }

  listen(host: string, port: number): Promise<void> {
    return new Promise((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen(port, host, () => {
        resolve();
      });
    });
  }

  close(): void {
    this.server.close();
    this.server.closeAllConnections();
  }
}
