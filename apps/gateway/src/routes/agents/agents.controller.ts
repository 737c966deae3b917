import { Body, Controller, Get, Param, Post } from '@nestjs/common';
import { invalid } from '@switchyard/kernel';
import { AgentCalls, type Ctx, listOf, McpToolView } from '@switchyard/contracts';
import { Bus } from '@switchyard/messaging';
import { ok } from '../../routing/success-response';
import { Caller } from '../../routing/caller.decorator';
import { Endpoint } from '../../routing/endpoint.decorator';
import { IdPipe } from '../../routing/id.pipe';
import { ApproveMcpToolsBody, McpToolsSiblings } from './agent-requests.dto';

function numberOf(version: string): number {
  if (!/^[1-9]\d{0,8}$/.test(version)) throw invalid('version', 'must be a version number');
  return Number(version);
}

@Controller('api/agents')
export class AgentsController {
  constructor(private readonly bus: Bus) {}

  @Get(':agentId/versions/:version')
  @Endpoint({ operationId: 'getAgentVersion', summary: 'Read a version of an agent', calls: AgentCalls.getVersion })
  async version(@Caller() ctx: Ctx, @Param('agentId', IdPipe) agentId: string, @Param('version') version: string) {
    return ok('The version.', await this.bus.call(AgentCalls.getVersion, ctx, { agentId, version: numberOf(version) }));
  }

  @Post(':agentId/versions/:version/restore')
  @Endpoint({
    operationId: 'restoreAgentVersion',
    summary: 'Make an earlier version the current one again, as a new version',
    calls: AgentCalls.restore,
  })
  async restore(@Caller() ctx: Ctx, @Param('agentId', IdPipe) agentId: string, @Param('version') version: string) {
    return ok(
      'Version restored.',
      await this.bus.call(AgentCalls.restore, ctx, { agentId, version: numberOf(version) }),
    );
  }

  @Get(':agentId/mcp/tools')
  @Endpoint({
    operationId: 'listAgentMcpTools',
    summary: 'List the tools of an agent’s MCP servers',
    calls: AgentCalls.mcpTools,
    reply: listOf(McpToolView),
    siblings: McpToolsSiblings,
  })
  async mcpTools(@Caller() ctx: Ctx, @Param('agentId', IdPipe) agentId: string) {
    const { tools, unavailable } = await this.bus.call(AgentCalls.mcpTools, ctx, { agentId });
    return ok('MCP tools.', tools, { unavailable });
  }

  @Post(':agentId/mcp/tools/approve')
  @Endpoint({
    operationId: 'approveAgentMcpTools',
    summary: 'Approve the tools of an agent’s MCP servers as they are now',
    description:
      'Tools whose definition has changed since they were approved, and tools that came later, are not offered to the model (`withheld`) until a person who may change the agent approves them. The first read after a server was added to the agent approves its current tools.',
    calls: AgentCalls.approveMcpTools,
    reply: listOf(McpToolView),
    siblings: McpToolsSiblings,
  })
  async approveMcpTools(
    @Caller() ctx: Ctx,
    @Param('agentId', IdPipe) agentId: string,
    @Body() { server }: ApproveMcpToolsBody,
  ) {
    const request = { agentId, ...(server === undefined ? {} : { server }) };
    const { tools, unavailable } = await this.bus.call(AgentCalls.approveMcpTools, ctx, request);
    return ok('MCP tools approved.', tools, { unavailable });
  }
}
