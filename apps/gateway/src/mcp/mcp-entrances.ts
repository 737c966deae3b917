import { createRequire } from 'node:module';
import { Injectable } from '@nestjs/common';
import { Logger } from '@switchyard/service';
import { OpenStreams } from '../auth/open-streams';
import { GatewayConfig } from '../gateway.config';
import { HeldExchanges } from './held-exchanges';
import type { McpEntrance } from './mcp-entrance';
import { McpServers } from './mcp-servers';

const load = createRequire(__filename);
const entranceFile = (): typeof import('./mcp-entrance') => load('./mcp-entrance') as typeof import('./mcp-entrance');

/**
 * Loads the MCP SDK with the first message of a client: it takes 20 MB, for which many gateways have no use. That message
 * holds the others up for a tenth of a second, once in the life of the process.
 */
@Injectable()
export class McpEntrances {
  private entrance: McpEntrance | undefined;

  constructor(
    private readonly servers: McpServers,
    private readonly held: HeldExchanges,
    private readonly streams: OpenStreams,
    private readonly logger: Logger,
    private readonly config: GatewayConfig,
  ) {}

  get(): McpEntrance {
    this.entrance ??= this.load();
    return this.entrance;
  }

  private load(): McpEntrance {
    const { McpEntrance: Entrance } = entranceFile();
    return new Entrance(this.servers, this.held, this.streams, this.logger, this.config);
  }
}
