import { createRequire } from 'node:module';
import { Injectable } from '@nestjs/common';
import type { McpServer } from '@modelcontextprotocol/server';
import type { Ctx } from '@switchyard/contracts';
import type { AppError } from '@switchyard/kernel';
import { Bus } from '@switchyard/messaging';
import { Logger } from '@switchyard/service';
import { OpenStreams } from '../auth/open-streams';
import { GatewayConfig } from '../gateway.config';
import type { ClientMemory } from './client-memory';
import { mcpSecret } from './mcp-secret';

/** Only messages of MCP clients need the SDK: it comes with the first one (`McpEntrances`). */
const mcpServer = (): typeof import('./mcp-server') =>
  createRequire(__filename)('./mcp-server') as typeof import('./mcp-server');

/** Makes the server of one request. The conformance tests put the suite's own tools in its place. */
@Injectable()
export class McpServers {
  readonly secret: Uint8Array;

  constructor(
    private readonly bus: Bus,
    private readonly logger: Logger,
    private readonly streams: OpenStreams,
    config: GatewayConfig,
  ) {
    this.secret = mcpSecret(config);
  }

  /** With a refusal its tools answer nothing else. */
  make(ctx: Ctx, client: ClientMemory | null, refusal: AppError | null): McpServer {
    const deps = { bus: this.bus, logger: this.logger, streams: this.streams, secret: this.secret };
    return mcpServer().makeMcpServer(ctx, deps, { client, refusal });
  }
}
