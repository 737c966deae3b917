import { createRequire } from 'node:module';
import { Injectable } from '@nestjs/common';
import type { McpServer } from '@modelcontextprotocol/server';
import type { Ctx } from '@switchyard/contracts';
import { Bus } from '@switchyard/messaging';
import { Logger } from '@switchyard/service';
import { ActiveResponses } from '../../auth/active-responses';
import { GatewayConfig } from '../../gateway.config';
import { mcpSecret } from './mcp-sealing-key';
import type { ClientInfo, makeMcpServer } from './mcp-server';

const load = createRequire(__filename);
/** With it comes the SDK, which is loaded by the first message of a client (`LazyMcpHandler`). */
const mcpServer = () => load('./mcp-server') as { makeMcpServer: typeof makeMcpServer };

/** Makes the server of one request. The conformance tests put the suite's own tools in its place. */
@Injectable()
export class McpServerFactory {
  readonly secret: Uint8Array;
  private readonly consoleUrl: string;
  private readonly payloadMaxBytes: number;

  constructor(
    private readonly bus: Bus,
    private readonly logger: Logger,
    private readonly streams: ActiveResponses,
    config: GatewayConfig,
  ) {
    this.secret = mcpSecret(config);
    this.payloadMaxBytes = config.EVENT_PAYLOAD_MAX_BYTES;
    this.consoleUrl = `${config.PUBLIC_URL?.replace(/\/$/, '') ?? ''}/console`;
  }

  /** With a refusal its tools answer nothing else. */
  make(ctx: Ctx, client: ClientInfo): McpServer {
    const { bus, logger, streams, secret, consoleUrl, payloadMaxBytes } = this;
    const deps = { bus, logger, streams, secret, consoleUrl, payloadMaxBytes };
    return mcpServer().makeMcpServer(ctx, deps, client);
  }
}
