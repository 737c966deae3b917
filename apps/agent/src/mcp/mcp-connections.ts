import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { fingerprint } from '@switchyard/kernel';
import { Egress, guardedFetch } from '@switchyard/service';
import type { Client } from '@modelcontextprotocol/client' with { 'resolution-mode': 'import' };
import { LRUCache } from 'lru-cache';
import { AgentConfig } from '../agent.config';

export interface McpEndpoint {
  /** Connections of different agents are never shared, even to one address. */
  agentId: string;
  url: string;
  headers: Record<string, string>;
}

const IDLE_MS = 60_000;
const MAX_OPEN = 100;
const MAX_BYTES = 8 * 1024 * 1024;

/** Connections to MCP servers: opened when needed, kept for a while, through the guard against private addresses. */
@Injectable()
export class McpConnections implements OnModuleDestroy {
  private readonly open = new LRUCache<string, Promise<Client>>({
    max: MAX_OPEN,
    ttl: IDLE_MS,
    updateAgeOnGet: true,
    ttlAutopurge: true,
    dispose: (client) => {
      void client.then((opened) => opened.close()).catch(() => undefined);
    },
  });
  private readonly fetch: typeof fetch;

  constructor(
    private readonly egress: Egress,
    private readonly config: AgentConfig,
  ) {
    this.fetch = guardedFetch(egress, { maxBytes: MAX_BYTES });
  }

  /** Runs `work` on a connection; one that failed is not used again. */
  async use<T>(endpoint: McpEndpoint, work: (client: Client) => Promise<T>): Promise<T> {
    const key = fingerprint(endpoint);
    const opening = this.open.get(key) ?? this.connect(endpoint);
    this.open.set(key, opening);
    try {
      return await work(await opening);
    } catch (error) {
      if (this.open.peek(key) === opening) this.open.delete(key);
      throw error;
    }
  }

  onModuleDestroy(): void {
    this.open.clear();
  }

  private async connect({ url, headers }: McpEndpoint): Promise<Client> {
    const address = this.egress.policy.checkUrl(url);
    // Loaded when the first agent needs it: most processes never do.
    const { Client, StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client');
    const client = new Client({ name: 'switchyard', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
    const transport = new StreamableHTTPClientTransport(address, {
      fetch: this.fetch,
      requestInit: { headers, redirect: 'manual' },
    });
    await client.connect(transport, { timeout: this.config.MCP_LIST_TIMEOUT_MS });
    return client;
  }
}
