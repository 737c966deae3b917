import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { canonicalJson } from '@switchyard/kernel';
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';

/** Outgoing calls may reach this address in tests. */
const HOST = '127.0.0.2';

/** Calls that reached a tool, by arguments. */
export interface Effect {
  name: string;
  digest: string;
}

export const digestOf = (args: unknown): string => createHash('sha256').update(canonicalJson(args)).digest('hex');

/**
 * An MCP server whose tool takes effect each time it is called, and gives back the credential that it was called with.
 */
export class EffectsServer {
  readonly effects: Effect[] = [];
  readonly credentials = new Set<string>();

  private constructor(
    readonly url: string,
    readonly close: () => void,
  ) {}

  static async start(): Promise<EffectsServer> {
    const handle = toNodeHandler(createMcpHandler(() => effects.tools()));
    const server = createServer((request, response) => {
      effects.credentials.add(String(request.headers.authorization));
      void handle(request, response);
    });
    await new Promise<void>((resolve) => server.listen(0, HOST, resolve));
    const effects: EffectsServer = new EffectsServer(
      `http://${HOST}:${(server.address() as AddressInfo).port}/mcp`,
      () => {
        server.closeAllConnections();
        server.close();
      },
    );
    return effects;
  }

  private tools(): McpServer {
    const mcp = new McpServer({ name: 'effects', version: '1.0.0' });
    mcp.registerTool('act', { inputSchema: z.looseObject({ name: z.string() }) }, (args) => {
      this.effects.push({ name: args.name, digest: digestOf(args) });
      const text = `done for ${args.name} by ${[...this.credentials].join()}`;
      return { content: [{ type: 'text', text }] };
    });
    return mcp;
  }
}
