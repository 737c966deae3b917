import { Injectable } from '@nestjs/common';
import { AppError, type JsonObject } from '@switchyard/kernel';
import type { Ctx, McpServerView, McpToolsView } from '@switchyard/contracts';
import { Logger } from '@switchyard/service';
import type { CallToolResult } from '@modelcontextprotocol/client' with { 'resolution-mode': 'import' };
import { AgentConfig } from '../agent.config';
import { AccessAudit } from '../agents/access-audit';
import type { AgentRecord } from '../domain/stored-agent';
import { ambiguityOf, mcpToolName } from '../domain/mcp-tool-names';
import { type Tool, ToolError, type ToolRun } from '../toolkit/tool';
import { type JudgedTool, McpToolApprovals, hashOfTool } from './mcp-tool-approvals';
import { McpToolLists } from './mcp-tool-lists';
import { McpConnections } from './mcp-connections';
import { McpEndpoints } from './mcp-endpoints';
import type { McpTool } from './mcp-tool-list-pages';

interface ServerToolList {
  server: McpServerView;
  answer: JudgedTool[] | AppError;
}

/** Tools of an agent's MCP servers. An unavailable server is reported and does not delay the others. */
@Injectable()
export class McpToolsService {
  constructor(
    private readonly toolLists: McpToolLists,
    private readonly connections: McpConnections,
    private readonly endpoints: McpEndpoints,
    private readonly approvals: McpToolApprovals,
    private readonly audit: AccessAudit,
    private readonly config: AgentConfig,
    private readonly log: Logger,
  ) {}

  async list(ctx: Ctx, agent: AgentRecord): Promise<McpToolsView> {
    return viewOf(await this.listAllTools(ctx, agent, agent.mcpServers), agent.mcpServers);
  }

  /** Approves the tools as their servers describe them now, until a description changes. */
  async approve(ctx: Ctx, agent: AgentRecord, name: string | undefined): Promise<McpToolsView> {
    const servers = agent.mcpServers.filter((server) => name === undefined || server.name === name);
    if (name !== undefined && servers.length === 0)
      throw new AppError('NOT_FOUND', `The agent has no MCP server called ${name}.`);
    for (const server of servers) {
      const tools = await this.refreshTools(ctx, agent, server).catch(() => null);
      if (tools === null) continue;
      await this.approvals.approve(ctx, agent, server, tools);
      this.audit.note(ctx, 'agent.mcp-tools-approved', agent.id, { server: server.name, tools: tools.length });
    }
    return viewOf(await this.listAllTools(ctx, agent, servers), agent.mcpServers);
  }

  async toolsOf(ctx: Ctx, agent: AgentRecord): Promise<Tool[]> {
    const answers = await this.listAllTools(ctx, agent, agent.mcpServers);
    return answers.flatMap(({ server, answer }) => {
      const where = { agent: agent.id, server: server.name };
      if (!Array.isArray(answer)) {
        this.log.warn({ ...where, reason: answer.message }, 'skipped an MCP server in this turn');
        return [];
      }
      const withheld = answer.filter((tool) => tool.withheld !== null).map(({ name }) => name);
      if (withheld.length > 0) this.log.warn({ ...where, tools: withheld }, 'skipped tools that are not approved');
      return answer
        .filter((tool) => isOffered(server, tool) && ambiguityOf(server.name, tool.name, agent.mcpServers) === null)
        .map((tool) => this.toolOf(agent, server, tool));
    });
  }

  private listAllTools(ctx: Ctx, agent: AgentRecord, servers: readonly McpServerView[]): Promise<ServerToolList[]> {
    return Promise.all(servers.map(async (server) => ({ server, answer: await this.listTools(ctx, agent, server) })));
  }

  private async listTools(ctx: Ctx, agent: AgentRecord, server: McpServerView): Promise<JudgedTool[] | AppError> {
    try {
      const { endpoint, mask } = await this.endpoints.open(ctx, agent, server);
      const tools = (await mask.json(await this.toolLists.list(server.name, endpoint))) as McpTool[];
      return await this.approvals.judge(ctx, agent, server, tools);
    } catch (error) {
      return error instanceof AppError
        ? error
        : new AppError('SERVICE_UNAVAILABLE', 'The server cannot be asked.', { cause: error });
    }
  }

  private async refreshTools(ctx: Ctx, agent: AgentRecord, server: McpServerView): Promise<McpTool[]> {
    const { endpoint, mask } = await this.endpoints.open(ctx, agent, server);
    this.toolLists.invalidate(endpoint);
    return (await mask.json(await this.toolLists.list(server.name, endpoint))) as McpTool[];
  }

  /**
   * A person approved what the tool was said to be at that time, which may be days ago: the server is asked once more.
   */
  private async refuseChanged(
    agent: AgentRecord,
    server: McpServerView,
    { tool, run }: { tool: McpTool; run: ToolRun },
  ): Promise<void> {
    const tools = await this.refreshTools(run.ctx, agent, server).catch(() => {
      throw new ToolError('MCP_SERVER_FAILED', 'The server did not say whether the tool is still the one approved.');
    });
    const now = tools.find(({ name }) => name === tool.name);
    if (now === undefined || hashOfTool(now) !== run.approvedDefinition)
      throw new ToolError('TOOL_CHANGED', 'The tool has changed since this call was approved. It was not run.');
  }

  private toolOf(agent: AgentRecord, server: McpServerView, tool: McpTool): Tool {
    return {
      definition: {
        name: mcpToolName(server.name, tool.name),
        ...(tool.description === null ? {} : { description: tool.description }),
        parameters: tool.inputSchema,
      },
      source: 'mcp',
      // A server's word about its tools is believed only where it makes them less, never more, than they seem.
      action: tool.annotations['readOnlyHint'] !== true,
      definitionHash: hashOfTool(tool),
      run: (args, run) => this.run(agent, server, { tool, args, run }),
    };
  }

  private async run(
    agent: AgentRecord,
    server: McpServerView,
    { tool, args, run }: { tool: McpTool; args: JsonObject; run: ToolRun },
  ): Promise<unknown> {
    if (run.approvedDefinition !== undefined) await this.refuseChanged(agent, server, { tool, run });
    const { endpoint, mask } = await this.endpoints.open(run.ctx, agent, server).catch((error: unknown) => {
      if (error instanceof AppError && SECRET_ERRORS.has(error.code)) throw new ToolError(error.code, error.message);
      throw error;
    });
    const result = await this.connections
      .use(endpoint, run.signal, (client) =>
        client.callTool(
          { name: tool.name, arguments: args },
          {
            signal: run.signal,
            timeout: this.config.TOOL_TIMEOUT_MS,
            // As it was approved: the library would list the server's tools again, without our bounds.
            toolDefinition: { name: tool.name, inputSchema: { ...tool.inputSchema, type: 'object' } },
          },
        ),
      )
      .catch((error: unknown) => {
        if (error instanceof AppError) throw new ToolError('MCP_SERVER_FAILED', mask.text(error.message));
        throw new ToolError(
          'MCP_SERVER_FAILED',
          `The tool's server failed: ${error instanceof Error ? mask.text(error.message).slice(0, 500) : 'no reason given'}`,
        );
      });
    const text = (await mask.json(textOf(result))) as string;
    if (result.isError)
      throw new ToolError('MCP_TOOL_FAILED', text === '' ? 'The tool failed without saying why.' : text);
    return result.structuredContent === undefined ? text : mask.json(result.structuredContent);
  }
}

const SECRET_ERRORS: ReadonlySet<string> = new Set([
  'SECRET_MISSING',
  'SECRET_NOT_ALLOWED',
  'SECRET_UNREADABLE',
  'PAYLOAD_TOO_LARGE',
]);

const isAllowed = (server: McpServerView, tool: string): boolean =>
  server.allowedTools === undefined || server.allowedTools.includes(tool);

const isOffered = (server: McpServerView, tool: JudgedTool): boolean =>
  tool.withheld === null && isAllowed(server, tool.name);

const viewOf = (answers: readonly ServerToolList[], servers: readonly McpServerView[]): McpToolsView => ({
  tools: answers.flatMap(({ server, answer }) =>
    Array.isArray(answer)
      ? answer.flatMap((tool) => {
          if (ambiguityOf(server.name, tool.name, servers) !== null) return [];
          const { withheld, ...definition } = tool;
          const allowed = isOffered(server, tool);
          return { server: server.name, ...definition, allowed, ...(withheld === null ? {} : { withheld }) };
        })
      : [],
  ),
  unavailable: answers.flatMap(({ server, answer }) =>
    Array.isArray(answer)
      ? answer.flatMap(({ name: tool }) => {
          const reason = ambiguityOf(server.name, tool, servers);
          return reason === null ? [] : [{ server: server.name, tool, reason }];
        })
      : [{ server: server.name, reason: answer.message }],
  ),
});

const textOf = (result: CallToolResult): string =>
  result.content
    .map((item) => {
      if (item.type === 'text') return item.text;
      if (item.type === 'resource' && 'text' in item.resource) return item.resource.text;
      return `[${item.type}]`;
    })
    .join('\n');
