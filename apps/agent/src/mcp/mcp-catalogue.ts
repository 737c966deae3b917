import { Injectable } from '@nestjs/common';
import { AppError, fingerprint, isPlainObject, type JsonObject } from '@switchyard/kernel';
import { Logger } from '@switchyard/service';
import { LRUCache } from 'lru-cache';
import { AgentConfig } from '../agent.config';
import { boundedOutput } from '../domain/tool-output';
import { McpConnections, type McpEndpoint } from './mcp-connections';

export interface McpTool {
  name: string;
  description: string | null;
  inputSchema: JsonObject;
  annotations: JsonObject;
}

interface Known {
  tools: McpTool[];
  hash: string;
  at: number;
}

/** A list older than its time is still given while a new one is fetched, up to this age. */
const STALE_MS = 3_600_000;
const FAILURE_MS = 15_000;
const MAX_TOOLS = 256;
const SCHEMA_CHARS = 32_000;

/** The tool lists of MCP servers, each asked for once at a time. */
@Injectable()
export class McpCatalogue {
  private readonly known = new LRUCache<string, Known>({ max: 1000, ttl: STALE_MS });
  private readonly failed = new LRUCache<string, string>({ max: 1000, ttl: FAILURE_MS });
  private readonly asking = new Map<string, Promise<McpTool[]>>();

  constructor(
    private readonly connections: McpConnections,
    private readonly config: AgentConfig,
    private readonly log: Logger,
  ) {}

  /** Throws what kept the server from answering; a server that has just failed is not asked again at once. */
  async list(server: string, endpoint: McpEndpoint): Promise<McpTool[]> {
    const key = fingerprint(endpoint);
    const known = this.known.get(key);
    if (known) {
      if (Date.now() - known.at > this.config.MCP_TOOLS_TTL_MS)
        void this.ask(key, server, endpoint).catch(() => undefined);
      return known.tools;
    }
    const reason = this.failed.get(key);
    if (reason !== undefined) throw new AppError('SERVICE_UNAVAILABLE', reason);
    return this.ask(key, server, endpoint);
  }

  /** The next look asks the server itself. */
  forget(endpoint: McpEndpoint): void {
    const key = fingerprint(endpoint);
    this.known.delete(key);
    this.failed.delete(key);
  }

  private ask(key: string, server: string, endpoint: McpEndpoint): Promise<McpTool[]> {
    let asking = this.asking.get(key);
    if (!asking) {
      asking = this.fetch(key, server, endpoint).finally(() => this.asking.delete(key));
      this.asking.set(key, asking);
    }
    return asking;
  }

  private async fetch(key: string, server: string, endpoint: McpEndpoint): Promise<McpTool[]> {
    try {
      const tools = await within(
        this.config.MCP_LIST_TIMEOUT_MS,
        this.connections.use(endpoint, (client) =>
          allTools((cursor) => client.listTools(cursor === undefined ? {} : { cursor })),
        ),
      );
      const hash = fingerprint(tools);
      const before = this.known.get(key);
      if (before && before.hash !== hash)
        this.log.warn(
          { server, agent: endpoint.agentId, before: before.hash, now: hash },
          'an MCP server has changed its tools',
        );
      this.known.set(key, { tools, hash, at: Date.now() });
      return tools;
    } catch (error) {
      const reason = reasonOf(error);
      this.failed.set(key, reason);
      throw new AppError('SERVICE_UNAVAILABLE', reason, { cause: error });
    }
  }
}

interface ToolPage {
  tools: { name: string; description?: string; inputSchema: unknown; annotations?: unknown }[];
  nextCursor?: string;
}

async function allTools(page: (cursor: string | undefined) => Promise<ToolPage>): Promise<McpTool[]> {
  const tools: McpTool[] = [];
  let cursor: string | undefined;
  do {
    const { tools: some, nextCursor } = await page(cursor);
    for (const { name, description, inputSchema, annotations } of some) {
      const schema = boundedOutput(inputSchema, SCHEMA_CHARS);
      tools.push({
        name: name.slice(0, 200),
        description: description === undefined ? null : String(boundedOutput(description, 4000)),
        inputSchema: isPlainObject(schema) ? schema : { type: 'object' },
        annotations: isPlainObject(annotations) ? annotations : {},
      });
    }
    cursor = nextCursor;
  } while (cursor !== undefined && tools.length < MAX_TOOLS);
  return tools.slice(0, MAX_TOOLS);
}

/** Two handshakes may be needed: the newer protocol is tried first. */
function within<T>(ms: number, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(new AppError('TIMEOUT', 'The server did not answer in time.'));
    }, ms);
    work.then(resolve, reject).finally(() => {
      clearTimeout(timer);
    });
  });
}

/** For people: what kind of failure it was, and nothing of what the other side wrote. */
function reasonOf(error: unknown): string {
  if (error instanceof AppError) return error.message;
  const text = error instanceof Error ? error.message : '';
  if (/40[13]|unauthori/i.test(text)) return 'The server refuses the credentials of this agent.';
  return 'The server cannot be reached, or does not speak MCP.';
}
