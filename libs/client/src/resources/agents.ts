import type { Deleted } from '../api/schemas';
import type { Http } from '../http/http';
import type { RequestOptions } from '../http/options';
import type {
  Agent,
  AgentChanges,
  AgentLatency,
  AgentSummary,
  AgentVersion,
  AgentVersionSummary,
  ApprovalCheck,
  ApprovalVerdict,
  McpTools,
  Memory,
  NewAgent,
} from '../records/agent';
import type { ChatRequest, ChatResult, ExecuteRequest, ExecuteResult } from '../records/turn';
import { STREAM_PROTOCOL, STREAM_PROTOCOL_HEADER } from '../stream/frame';
import { streamHeaders } from '../stream/turn-connection';
import { type StreamOptions, TurnStream } from '../stream/turn-stream';
import { everyRow, getPage, type Page, type PageQuery } from './paged-lists';

export interface AgentQuery extends PageQuery {
  accessibleOnly?: boolean;
  agentType?: Agent['agentType'];
  q?: string;
}

export interface MemoryQuery extends PageQuery {
  /** Those about every user; for ADMIN and up. */
  allUsers?: boolean;
}

export class Agents {
  constructor(private readonly http: Http) {}

  list(query: AgentQuery = {}): Promise<Page<AgentSummary>> {
    return getPage(this.http, '/agents', query);
  }

  all(query: Omit<AgentQuery, 'cursor'> = {}): AsyncGenerator<AgentSummary> {
    return everyRow((cursor) => this.list({ ...query, cursor }));
  }

  listSystem(): Promise<Page<AgentSummary>> {
    return getPage(this.http, '/agents/system-agents');
  }

  get(agentId: string): Promise<Agent> {
    return this.http.data({ method: 'GET', path: `/agents/${agentId}` });
  }

  create(agent: NewAgent, options: RequestOptions = {}): Promise<Agent> {
    return this.http.data({ method: 'POST', path: '/agents', body: agent, ...options });
  }

  /** Replaces the given fields. With `ifVersion` it is refused when the agent has changed since. */
  update(agentId: string, changes: AgentChanges, options: { ifVersion?: number } = {}): Promise<Agent> {
    const headers: Record<string, string> =
      options.ifVersion === undefined ? {} : { 'if-match': `"${options.ifVersion}"` };
    return this.http.data({ method: 'PUT', path: `/agents/${agentId}`, body: changes, headers });
  }

  remove(agentId: string): Promise<Deleted> {
    return this.http.data({ method: 'DELETE', path: `/agents/${agentId}` });
  }

  versions(agentId: string, query: PageQuery = {}): Promise<Page<AgentVersionSummary>> {
    return getPage(this.http, `/agents/${agentId}/versions`, query);
  }

  version(agentId: string, version: number): Promise<AgentVersion> {
    return this.http.data({ method: 'GET', path: `/agents/${agentId}/versions/${version}` });
  }

  /** Makes an earlier version the current one again, as a new version. */
  restore(agentId: string, version: number): Promise<Agent> {
    return this.http.data({ method: 'POST', path: `/agents/${agentId}/versions/${version}/restore`, body: {} });
  }

  /** Which rules a call would match, and what a person would be asked. Nothing is run. */
  checkApproval(agentId: string, call: ApprovalCheck): Promise<ApprovalVerdict> {
    return this.http.data({ method: 'POST', path: `/agents/${agentId}/approvals/check`, body: call });
  }

  mcpTools(agentId: string): Promise<McpTools> {
    return this.http.json({ method: 'GET', path: `/agents/${agentId}/mcp/tools` });
  }

  /** Takes the tools of MCP servers as they are now: what has changed since it was approved is withheld until then. */
  approveMcpTools(agentId: string, options: { server?: string } = {}): Promise<McpTools> {
    return this.http.json({ method: 'POST', path: `/agents/${agentId}/mcp/tools/approve`, body: options });
  }

  /** How long its turns took. Times are ISO-8601; without them the last 24 hours, or the last 30 days by the day. */
  latency(
    agentId: string,
    query: { from?: string; to?: string; interval?: AgentLatency['interval'] } = {},
  ): Promise<AgentLatency> {
    return this.http.data({ method: 'GET', path: `/agents/${agentId}/latency`, query });
  }

  /** The agent's memories about the caller, newest first. */
  memories(agentId: string, query: MemoryQuery = {}): Promise<Page<Memory>> {
    return getPage(this.http, `/agents/${agentId}/memories`, query);
  }

  correctMemory(agentId: string, memoryId: string, changes: { text: string }): Promise<Memory> {
    return this.http.data({ method: 'PATCH', path: `/agents/${agentId}/memories/${memoryId}`, body: changes });
  }

  removeMemory(agentId: string, memoryId: string): Promise<Deleted> {
    return this.http.data({ method: 'DELETE', path: `/agents/${agentId}/memories/${memoryId}` });
  }

  /** All that the agent remembers about the caller. */
  removeMemories(agentId: string): Promise<{ deleted: number }> {
    return this.http.data({ method: 'DELETE', path: `/agents/${agentId}/memories` });
  }

  /** Opens a turn and streams it. Resolves when the turn is accepted; every refusal rejects here. */
  chat(
    agentId: string,
    request: ChatRequest,
    options: Pick<StreamOptions, 'signal' | 'onConnection'> = {},
  ): Promise<TurnStream> {
    const body = { ...request, turnId: request.turnId ?? crypto.randomUUID(), stream: true };
    return TurnStream.open(
      this.http,
      { agentId, turnId: body.turnId },
      (signal) =>
        this.http.send({ method: 'POST', path: `/agents/${agentId}/chat`, headers: streamHeaders, body, signal }),
      { ...options, sessionId: request.session_id ?? null },
    );
  }

  /** Opens a turn and waits for its end, or for the question that it stops with. */
  ask(agentId: string, request: ChatRequest, options: RequestOptions = {}): Promise<ChatResult> {
    const body = { ...request, turnId: request.turnId ?? crypto.randomUUID(), stream: false };
    return this.http.data({ method: 'POST', path: `/agents/${agentId}/chat`, body, ...options });
  }

  execute(agentId: string, request: ExecuteRequest, options: RequestOptions = {}): Promise<ExecuteResult> {
    return this.http.json({ method: 'POST', path: `/agents/${agentId}/execute`, body: request, ...options });
  }

  /**
   * As `execute`, as a stream. The server names the turn in its answer, and a repeat would run it again: a request
   * that gets no answer is not repeated. From its answer on, the stream is restored like every other.
   */
  async executeStream(
    agentId: string,
    request: ExecuteRequest,
    options: { signal?: AbortSignal } = {},
  ): Promise<TurnStream> {
    const headers = { accept: 'text/event-stream', [STREAM_PROTOCOL_HEADER]: STREAM_PROTOCOL };
    const body = { ...request, stream: true };
    return TurnStream.open(
      this.http,
      { agentId, turnId: '' },
      (signal) => this.http.send({ method: 'POST', path: `/agents/${agentId}/execute`, headers, body, signal }),
      { signal: options.signal, sessionId: request.inputs?.session_id ?? null, once: true },
    );
  }
}
