import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { HOST } from './mcp-host';

type RequestHandler = (request: Rpc, response: ServerResponse) => void;
interface Rpc {
  id?: number;
  method: string;
  params?: { cursor?: string };
}

const json = (response: ServerResponse, id: number | undefined, result: object): void => {
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
};

/** An MCP server of the older era that answers `tools/list` and `tools/call` as badly as a test likes. */
export class HostileMcp {
  /** The methods that were asked for, in order. */
  readonly requests: string[] = [];
  /** Answers that were given up by the other side before they were complete. */
  broken = 0;
  list: RequestHandler = (request, response) => this.tools(request, response, []);
  call: RequestHandler = (request, response) =>
    json(response, request.id, { content: [{ type: 'text', text: 'called' }] });

  private constructor(private readonly server: Server) {}

  static async start(): Promise<HostileMcp> {
    const server = createServer((request, response) => void host.answer(request, response));
    const host = new HostileMcp(server);
    await new Promise<void>((resolve) => server.listen(0, HOST, resolve));
    return host;
  }

  get url(): string {
    return `http://${HOST}:${(this.server.address() as AddressInfo).port}/mcp`;
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  tools({ id }: Rpc, response: ServerResponse, names: string[], nextCursor?: string): void {
    const tools = names.map((name) => ({ name, inputSchema: { type: 'object' } }));
    json(response, id, { tools, ...(nextCursor === undefined ? {} : { nextCursor }) });
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.on('close', () => {
      if (!response.writableFinished) this.broken += 1;
    });
    if (request.method !== 'POST') {
      response.writeHead(405).end();
      return;
    }
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const rpc = JSON.parse(Buffer.concat(chunks).toString('utf8')) as Rpc;
    this.requests.push(rpc.method);
    if (rpc.method === 'initialize') {
      json(response, rpc.id, {
        protocolVersion: '2025-06-18',
        capabilities: { tools: {} },
        serverInfo: { name: 'hostile', version: '1' },
      });
    } else if (rpc.method === 'tools/list') this.list(rpc, response);
    else if (rpc.method === 'tools/call') this.call(rpc, response);
    else if (rpc.id === undefined) response.writeHead(202).end();
    else response.writeHead(400).end();
  }
}
