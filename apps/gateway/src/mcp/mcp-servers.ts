import { Injectable } from '@nestjs/common';
import type { McpServer } from '@modelcontextprotocol/server';
import type { Ctx } from '@switchyard/contracts';
import type { AppError } from '@switchyard/kernel';
import { Bus } from '@switchyard/messaging';
import { Logger } from '@switchyard/service';
import { OpenStreams } from '../auth/open-streams';
import { GatewayConfig } from '../gateway.config';
import type { ClientMemory } from './client-memory';
import { makeMcpServer } from './mcp-server';
import { mcpSecret } from './mcp-secret';

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
    return makeMcpServer(ctx, deps, { client, refusal });
  }
}
