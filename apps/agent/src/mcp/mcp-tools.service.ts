import { Injectable } from '@nestjs/common';
import { AppError, type JsonObject } from '@switchyard/kernel';
import type { McpServerView, McpToolsView } from '@switchyard/contracts';
import { Logger } from '@switchyard/service';
import type { CallToolResult } from '@modelcontextprotocol/client' with { 'resolution-mode': 'import' };
import { AgentConfig } from '../agent.config';
import { HeaderVault } from '../agents/header-vault';
import type { AgentRecord } from '../domain/agent-record';
import { mcpToolName } from '../domain/mcp-names';
import { type Tool, ToolError, type ToolRun } from '../tools/tool';
import { McpCatalogue, type McpTool } from './mcp-catalogue';
import { McpConnections, type McpEndpoint } from './mcp-connections';

/** The MCP servers of an agent, as tools. One that is away is named, and holds nothing up for the others. */
@Injectable()
export class McpToolsService {
  constructor(
    private readonly catalogue: McpCatalogue,
    private readonly connections: McpConnections,
    private readonly vault: HeaderVault,
    private readonly config: AgentConfig,
    private readonly log: Logger,
  ) {}

  async list(agent: AgentRecord): Promise<McpToolsView> {
    const asked = await Promise.all(
      agent.mcpServers.map(async (server) => ({ server, answer: await this.ask(agent, server) })),
    );
    return {
      tools: asked.flatMap(({ server, answer }) =>
        Array.isArray(answer)
          ? answer.map((tool) => ({ server: server.name, ...tool, allowed: isAllowed(server, tool.name) }))
          : [],
      ),
      unavailable: asked.flatMap(({ server, answer }) =>
        Array.isArray(answer) ? [] : [{ server: server.name, reason: answer.message }],
      ),
    };
  }

  async toolsOf(agent: AgentRecord): Promise<Tool[]> {
    const asked = await Promise.all(
      agent.mcpServers.map(async (server) => {
        const answer = await this.ask(agent, server);
        if (Array.isArray(answer))
          return answer.filter(({ name }) => isAllowed(server, name)).map((tool) => this.toolOf(agent, server, tool));
        this.log.warn(
          { agent: agent.id, server: server.name, reason: answer.message },
          'an MCP server is left out of a turn',
        );
        return [];
      }),
    );
    return asked.flat();
  }

  private async ask(agent: AgentRecord, server: McpServerView): Promise<McpTool[] | AppError> {
    try {
      return await this.catalogue.list(server.name, this.endpointOf(agent, server));
    } catch (error) {
      return error instanceof AppError
        ? error
        : new AppError('SERVICE_UNAVAILABLE', 'The server cannot be asked.', { cause: error });
    }
  }

  private endpointOf(agent: AgentRecord, server: McpServerView): McpEndpoint {
    return { agentId: agent.id, url: server.url, headers: this.vault.headersOf(agent, server.name) };
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
      run: (args, run) => this.run(this.endpointOf(agent, server), tool.name, args, run),
    };
  }

  private async run(endpoint: McpEndpoint, name: string, args: JsonObject, run: ToolRun): Promise<unknown> {
    const result = await this.connections
      .use(endpoint, (client) =>
        client.callTool({ name, arguments: args }, { signal: run.signal, timeout: this.config.TOOL_TIMEOUT_MS }),
      )
      .catch((error: unknown) => {
        if (error instanceof AppError) throw new ToolError('MCP_SERVER_FAILED', error.message);
        throw new ToolError(
          'MCP_SERVER_FAILED',
          `The tool's server failed: ${error instanceof Error ? error.message.slice(0, 500) : 'no reason given'}`,
        );
      });
    const text = textOf(result);
    if (result.isError)
      throw new ToolError('MCP_TOOL_FAILED', text === '' ? 'The tool failed without saying why.' : text);
    return result.structuredContent ?? text;
  }
}

const isAllowed = (server: McpServerView, tool: string): boolean =>
  server.allowedTools === undefined || server.allowedTools.includes(tool);

const textOf = (result: CallToolResult): string =>
  result.content
    .map((item) => {
      if (item.type === 'text') return item.text;
      if (item.type === 'resource' && 'text' in item.resource) return item.resource.text;
      return `[${item.type}]`;
    })
    .join('\n');
