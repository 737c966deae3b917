import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { AppError, JSON_LIMITS } from '@switchyard/kernel';
import { Egress, guardedFetch, Metrics } from '@switchyard/service';
import type { Client } from '@modelcontextprotocol/client' with { 'resolution-mode': 'import' };
import { LRUCache } from 'lru-cache';
import { AgentConfig } from '../agent.config';
import { endpointKey } from './endpoint-cache-key';
import { McpConnection } from './mcp-connection';
import { McpAllowance, McpResponseLimiter } from './mcp-response-limits';

export interface McpEndpoint {
  spaceId: string;
  /** Connections of different agents are never shared, even to one address. */
  agentId: string;
  url: string;
  headers: Record<string, string>;
}

const IDLE_MS = 60_000;
/** Connections to MCP servers that a process keeps open between calls. */
const CONNECTIONS_MAX = 100;
const HANDSHAKE = { bytes: 1024 * 1024, values: 10_000 };

const timedOut = (): AppError => new AppError('TIMEOUT', 'The server did not answer in time.');

/** Connections to MCP servers: opened when needed, kept for a while, through the guard against private addresses. */
@Injectable()
export class McpConnections implements OnModuleDestroy {
  private readonly open: LRUCache<string, McpConnection>;
  private readonly traffic: McpResponseLimiter;

  constructor(
    private readonly egress: Egress,
    private readonly config: AgentConfig,
    metrics: Metrics,
  ) {
    this.open = new LRUCache({
      max: CONNECTIONS_MAX,
      ttl: IDLE_MS,
      updateAgeOnGet: true,
      ttlAutopurge: true,
      dispose: (connection) => {
        connection.retire();
      },
    });
    this.traffic = new McpResponseLimiter(guardedFetch(egress, { maxBytes: config.MCP_ANSWER_MAX_BYTES }));
    metrics.gauge('switchyard_mcp_connections', 'Connections to MCP servers that are kept open.', [], (gauge) => {
      gauge.set(this.open.size);
    });
    metrics
      .gauge('switchyard_mcp_connections_limit', 'Connections to MCP servers that may be kept open.')
      .set(CONNECTIONS_MAX);
  }

  /**
   * Runs `work` on a connection until `signal` aborts, within the limits of an answer's bytes and values. Requests that
   * are still open then are cancelled. A connection on which something failed takes no further calls, and those of
   * others go on.
   */
  async use<T>(
    endpoint: McpEndpoint,
    signal: AbortSignal,
    work: (client: Client) => Promise<T>,
    values = JSON_LIMITS.nodes,
  ): Promise<T> {
    const key = endpointKey(endpoint);
    const connection = this.open.get(key) ?? this.connect(endpoint);
    this.open.set(key, connection);
    // Reads in progress must stop when the work ends or is abandoned.
    const over = new AbortController();
    const allowance = new McpAllowance(endpoint.spaceId, AbortSignal.any([signal, over.signal]), {
      bytes: this.config.MCP_ANSWER_MAX_BYTES,
      values,
    });
    try {
      return await connection.use(signal, timedOut, (client) => this.traffic.under(allowance, () => work(client)));
    } catch (error) {
      if (this.open.peek(key) === connection) this.open.delete(key);
      throw error;
    } finally {
      over.abort();
    }
  }

  onModuleDestroy(): void {
    this.open.clear();
  }

  private connect(endpoint: McpEndpoint): McpConnection {
    const lifetime = new AbortController();
    const timer = setTimeout(() => {
      lifetime.abort();
    }, this.config.MCP_LIST_TIMEOUT_MS);
    const allowance = new McpAllowance(endpoint.spaceId, lifetime.signal, HANDSHAKE);
    const client = this.traffic
      .under(allowance, () => this.handshake(endpoint))
      .finally(() => {
        clearTimeout(timer);
      });
    return new McpConnection(client, lifetime);
  }

  private async handshake({ url, headers }: McpEndpoint): Promise<Client> {
    const address = this.egress.policy.checkUrl(url);
    // Loaded when the first agent needs it: most processes never do.
    const { Client, StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client');
    const client = new Client(
      { name: 'switchyard', version: '1.0.0' },
      // Lists are read page by page here; the library's own way of reading them all is closed.
      { versionNegotiation: { mode: 'auto' }, listMaxPages: 1 },
    );
    const transport = new StreamableHTTPClientTransport(address, {
      fetch: this.traffic.fetch,
      requestInit: { headers, redirect: 'manual' },
    });
    await client.connect(transport, { timeout: this.config.MCP_LIST_TIMEOUT_MS });
    return client;
  }
}
