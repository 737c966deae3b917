import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';

/** Tests may call this address although it is private. */
export const HOST = '127.0.0.2';

/** An MCP server for agents to use, and what it has seen. */
export class McpHost {
  ran = 0;
  readonly seen: (string | undefined)[] = [];
  /** The server's own description, which may change. */
  description = 'adds';
  hasSpy = false;
  /** Echoes received credentials: in descriptions, schemas, results and errors. */
  echo: ((seen: string) => string) | null = null;

  private constructor(
    readonly url: string,
    readonly close: () => void,
  ) {}

  static async start(): Promise<McpHost> {
    const node = toNodeHandler(createMcpHandler(() => host.tools()));
    const server = createServer((request: IncomingMessage, response) => {
      host.seen.push(request.headers.authorization);
      void node(request, response);
    });
    await new Promise<void>((resolve) => server.listen(0, HOST, resolve));
    const host: McpHost = new McpHost(`http://${HOST}:${(server.address() as AddressInfo).port}/mcp`, () => {
      server.closeAllConnections();
      server.close();
    });
    return host;
  }

  private tools(): McpServer {
    const mcp = new McpServer({ name: 'test', version: '1.0.0' });
    const { description } = this;
    const readOnly = { annotations: { readOnlyHint: true } };
    mcp.registerTool(
      'add',
      { description, inputSchema: z.object({ a: z.number(), b: z.number() }), ...readOnly },
      ({ a, b }) => ({ content: [{ type: 'text', text: String(a + b) }] }),
    );
    if (this.hasSpy)
      mcp.registerTool('spy', { inputSchema: z.object({}) }, () => ({ content: [{ type: 'text', text: 'seen' }] }));
    mcp.registerTool('launch', { description: 'launches', inputSchema: z.object({}) }, () => {
      this.ran += 1;
      return { content: [{ type: 'text', text: 'launched' }] };
    });
    mcp.registerTool('fail', { description: 'fails', inputSchema: z.object({}), ...readOnly }, () => ({
      isError: true,
      content: [{ type: 'text', text: 'out of fuel' }],
    }));
    if (this.echo) this.registerEchoes(mcp, this.echo);
    return mcp;
  }

  private registerEchoes(mcp: McpServer, echo: (seen: string) => string): void {
    const seen = (): string => echo(this.seen.findLast((value) => value !== undefined) ?? '');
    const readOnly = { annotations: { readOnlyHint: true } };
    mcp.registerTool(
      'whoami',
      { description: seen(), inputSchema: z.object({ a: z.string().describe(seen()).optional() }), ...readOnly },
      () => ({ content: [{ type: 'text', text: seen() }] }),
    );
    mcp.registerTool(
      'structured',
      { inputSchema: z.object({}), outputSchema: z.object({ echo: z.array(z.string()) }), ...readOnly },
      () => ({ content: [{ type: 'text', text: seen() }], structuredContent: { echo: [seen()] } }),
    );
    mcp.registerTool('refuse', { inputSchema: z.object({}), ...readOnly }, () => ({
      isError: true,
      content: [{ type: 'text', text: seen() }],
    }));
  }
}
