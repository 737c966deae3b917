import { Injectable } from '@nestjs/common';
import { FairSemaphore, RefreshingCache, tooManyWaitFor } from '@switchyard/concurrency';
import { AppError, VALUE_BYTES, fingerprint, jsonBytes, valuesIn } from '@switchyard/kernel';
import { Logger, Metrics, PayerCache } from '@switchyard/service';
import { LRUCache } from 'lru-cache';
import { AgentConfig } from '../agent.config';
import { endpointKey } from './endpoint-cache-key';
import { McpConnections, type McpEndpoint } from './mcp-connections';
import { type McpTool, readToolPages } from './mcp-tool-list-pages';

interface ToolList {
  tools: McpTool[];
  hash: string;
}

/** Up to this age a list is returned while a newer one is loaded. */
const USABLE_MS = 3_600_000;
/** A list that is older is read again. */
const RENEW_MS = 300_000;
/** Lists that a process reads at a time; a Space has a third of them while others wait. */
const LISTS_AT_ONCE = 48;
const FAILURE_MS = 15_000;
/** Maximum number of JSON values in a list. */
const LIST_VALUES = 50_000;
/** Of all lists: large ones evict others instead of exhausting the memory. */
const CACHE_BYTES = 16 * 1024 * 1024;

/** The tool lists of MCP servers; never two requests at once for the same list. */
@Injectable()
export class McpToolLists {
  private readonly cache: RefreshingCache<ToolList>;
  private readonly failed = new LRUCache<string, string>({ max: 1000, ttl: FAILURE_MS });
  private readonly refused: { inc: () => void };
  /** A list holds memory and a connection for as long as its server takes, so no Space may take all slots. */
  private readonly slots: FairSemaphore;

  constructor(
    private readonly connections: McpConnections,
    private readonly config: AgentConfig,
    private readonly log: Logger,
    private readonly payerCache: PayerCache,
    metrics: Metrics,
  ) {
    this.cache = new RefreshingCache({
      renewMs: RENEW_MS,
      freshMs: USABLE_MS,
      maxBytes: CACHE_BYTES,
      bytesOf: ({ tools }) => jsonBytes(tools) + VALUE_BYTES * valuesIn(tools),
    });
    this.refused = metrics.counter(
      'switchyard_mcp_lists_refused_total',
      'Tool lists of MCP servers that were rejected because they exceeded the limit of time, bytes or tools.',
    );
    const share = Math.max(1, Math.floor(LISTS_AT_ONCE / 3));
    this.slots = new FairSemaphore({
      slots: LISTS_AT_ONCE,
      share,
      // Kept free for Spaces that come next: a slow server holds its place for seconds.
      reserve: share,
      waitMs: config.MCP_LIST_TIMEOUT_MS,
      waiting: { all: 10 * LISTS_AT_ONCE, each: 3 * LISTS_AT_ONCE },
      refusal: tooManyWaitFor('the lists of tools of MCP servers'),
    });
    metrics.bounded(
      {
        name: 'switchyard_mcp_list_reads',
        help: 'Lists of tools that are read from MCP servers at the moment.',
        measures: ['used', 'limit', 'waiting', 'refused'],
      },
      (set) =>
        set({
          used: this.slots.used,
          limit: this.slots.slots,
          waiting: this.slots.waiting,
          refused: this.slots.refused,
        }),
    );
  }

  /** Throws what kept the server from answering; a server that has just failed is not asked again at once. */
  async list(server: string, endpoint: McpEndpoint): Promise<McpTool[]> {
    const key = endpointKey(endpoint);
    const { tools } = await this.cache.get(key, async () => {
      const reason = this.failed.get(key);
      if (reason !== undefined) throw new AppError('SERVICE_UNAVAILABLE', reason);
      return this.slots.run(this.payerCache.of(endpoint.spaceId), () => this.fetch(key, server, endpoint));
    });
    return tools;
  }

  /** The next look asks the server itself. */
  invalidate(endpoint: McpEndpoint): void {
    const key = endpointKey(endpoint);
    this.cache.delete(key);
    this.failed.delete(key);
  }

  private async fetch(key: string, server: string, endpoint: McpEndpoint): Promise<ToolList> {
    try {
      const tools = await this.connections.use(
        endpoint,
        AbortSignal.timeout(this.config.MCP_LIST_TIMEOUT_MS),
        async (client) => {
          // A server that has no tools refuses to list them.
          if (client.getServerCapabilities()?.tools === undefined) return [];
          return readToolPages(
            (cursor) =>
              client.request(
                { method: 'tools/list', ...(cursor === undefined ? {} : { params: { cursor } }) },
                { timeout: this.config.MCP_LIST_TIMEOUT_MS },
              ),
            this.config.MCP_TOOLS_MAX,
          );
        },
        LIST_VALUES,
      );
      const hash = fingerprint(tools);
      const before = this.cache.peek(key);
      if (before && before.hash !== hash)
        this.log.warn(
          { server, agent: endpoint.agentId, before: before.hash, now: hash },
          'an MCP server changed its tools',
        );
      return { tools, hash };
    } catch (error) {
      const reason = reasonOf(error);
      this.refused.inc();
      this.failed.set(key, reason);
      throw new AppError('SERVICE_UNAVAILABLE', reason, { cause: error });
    }
  }
}

/** For people: what kind of failure it was, and nothing of what the other side wrote. */
function reasonOf(error: unknown): string {
  if (error instanceof AppError) return error.message;
  const text = error instanceof Error ? error.message : '';
  if (/40[13]|unauthori/i.test(text)) return 'The server refuses the credentials of this agent.';
  return 'The server cannot be reached, or does not speak MCP.';
}
