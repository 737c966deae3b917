import { Body, Controller, Delete, Get, Headers, Param, Post, Put, Query } from '@nestjs/common';
import { AppError, invalid } from '@switchyard/kernel';
import {
  AgentCalls,
  AgentChanges,
  CreateAgent,
  type Ctx,
  ListAgents,
  listOf,
  McpToolView,
  PageRequest,
} from '@switchyard/contracts';
import { Bus } from '@switchyard/messaging';
import { ok, page } from '../endpoint/answers';
import { Caller } from '../endpoint/caller.decorator';
import { Endpoint } from '../endpoint/endpoint.decorator';
import { IdPipe } from '../endpoint/id.pipe';
import { ApproveMcpToolsBody, CheckApprovalBody } from './agent-requests.dto';

/** `If-Match: "3"`: the version that the caller has seen. */
function versionOf(header: string | undefined): number | undefined {
  if (header === undefined || header === '*') return undefined;
  const match = /^(?:W\/)?"?(\d{1,9})"?$/.exec(header.trim());
  if (!match)
    throw new AppError('PRECONDITION_FAILED', 'If-Match must be the version of the agent in quotes, like "3".');
  return Number(match[1]);
}

@Controller('api/agents')
export class AgentsController {
  constructor(private readonly bus: Bus) {}

  @Post()
  @Endpoint({ summary: 'Create an agent', calls: AgentCalls.create, status: 201 })
  async create(@Caller() ctx: Ctx, @Body() body: CreateAgent) {
    return ok('Agent created.', await this.bus.call(AgentCalls.create, ctx, body));
  }

  @Get()
  @Endpoint({ summary: 'List agents', calls: AgentCalls.list })
  async list(@Caller() ctx: Ctx, @Query() query: ListAgents) {
    return page('Agents.', await this.bus.call(AgentCalls.list, ctx, query), query.limit);
  }

  @Get('system-agents')
  @Endpoint({ summary: 'List the built-in agents', calls: AgentCalls.listSystem })
  async listSystem(@Caller() ctx: Ctx, @Query() query: PageRequest) {
    return page('System agents.', await this.bus.call(AgentCalls.listSystem, ctx, query), query.limit);
  }

  @Get(':agentId')
  @Endpoint({ summary: 'Read an agent', calls: AgentCalls.get })
  async get(@Caller() ctx: Ctx, @Param('agentId', IdPipe) agentId: string) {
    return ok('Agent.', await this.bus.call(AgentCalls.get, ctx, { agentId }));
  }

  @Put(':agentId')
  @Endpoint({ summary: 'Change an agent: the given fields are replaced, the others stay', calls: AgentCalls.update })
  async update(
    @Caller() ctx: Ctx,
    @Param('agentId', IdPipe) agentId: string,
    @Body() changes: AgentChanges,
    @Headers('if-match') ifMatch: string | undefined,
  ) {
    const ifVersion = versionOf(ifMatch);
    return ok(
      'Agent updated.',
      await this.bus.call(AgentCalls.update, ctx, {
        agentId,
        changes,
        ...(ifVersion === undefined ? {} : { ifVersion }),
      }),
    );
  }

  @Delete(':agentId')
  @Endpoint({ summary: 'Delete an agent', calls: AgentCalls.remove })
  async remove(@Caller() ctx: Ctx, @Param('agentId', IdPipe) agentId: string) {
    return ok('Agent deleted.', await this.bus.call(AgentCalls.remove, ctx, { agentId }));
  }

  @Get(':agentId/versions')
  @Endpoint({ summary: 'List the versions of an agent, newest first', calls: AgentCalls.listVersions })
  async versions(@Caller() ctx: Ctx, @Param('agentId', IdPipe) agentId: string, @Query() query: PageRequest) {
    const { limit, cursor } = query;
    return page('Versions.', await this.bus.call(AgentCalls.listVersions, ctx, { agentId, limit, cursor }), limit);
  }

  @Post(':agentId/versions/:version/restore')
  @Endpoint({ summary: 'Make an earlier version the current one again, as a new version', calls: AgentCalls.restore })
  async restore(@Caller() ctx: Ctx, @Param('agentId', IdPipe) agentId: string, @Param('version') version: string) {
    if (!/^[1-9]\d{0,8}$/.test(version)) throw invalid('version', 'must be a version number');
    return ok('Version restored.', await this.bus.call(AgentCalls.restore, ctx, { agentId, version: Number(version) }));
  }

  @Post(':agentId/approvals/check')
  @Endpoint({
    summary: 'Ask which approval a call of a tool would need',
    description:
      'By the rules of the agent, or those that are given in their place, and by those of the Space. Nothing is run.',
    calls: AgentCalls.checkApproval,
  })
  async checkApproval(
    @Caller() ctx: Ctx,
    @Param('agentId', IdPipe) agentId: string,
    @Body() { tool, arguments: args, approvals }: CheckApprovalBody,
  ) {
    const request = { agentId, tool, arguments: args, ...(approvals === undefined ? {} : { approvals }) };
    return ok('Checked.', await this.bus.call(AgentCalls.checkApproval, ctx, request));
  }

  @Get(':agentId/mcp/tools')
  @Endpoint({
    summary: 'List the tools of an agent’s MCP servers',
    calls: AgentCalls.mcpTools,
    reply: listOf(McpToolView),
  })
  async mcpTools(@Caller() ctx: Ctx, @Param('agentId', IdPipe) agentId: string) {
    const { tools, unavailable } = await this.bus.call(AgentCalls.mcpTools, ctx, { agentId });
    return ok('MCP tools.', tools, { unavailable });
  }

  @Post(':agentId/mcp/tools/approve')
  @Endpoint({
    summary: 'Approve the tools of an agent’s MCP servers as they are now',
    description:
      'Tools whose definition has changed since they were approved, and tools that came later, are not offered to the model (`withheld`) until somebody who may change the agent approves them. The first look after a server was given to the agent approves what is there.',
    calls: AgentCalls.approveMcpTools,
    reply: listOf(McpToolView),
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
