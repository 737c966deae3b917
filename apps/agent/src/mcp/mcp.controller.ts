import { Controller } from '@nestjs/common';
import { type AgentById, AgentCalls, ApproveMcpTools, type Ctx, McpToolsView } from '@switchyard/contracts';
import { Handles } from '@switchyard/messaging';
import { AgentsService } from '../agents/agents.service';
import { McpToolsService } from './mcp-tools.service';

@Controller()
export class McpController {
  constructor(
    private readonly agents: AgentsService,
    private readonly mcp: McpToolsService,
  ) {}

  @Handles(AgentCalls.mcpTools)
  async list(data: AgentById, ctx: Ctx): Promise<McpToolsView> {
    // Connects to the servers in the agent's name: more than a read.
    return this.mcp.list(ctx, await this.agents.startable(ctx, data.agentId));
  }

  @Handles(AgentCalls.approveMcpTools)
  async approve(data: ApproveMcpTools, ctx: Ctx): Promise<McpToolsView> {
    return this.mcp.approve(ctx, await this.agents.editable(ctx, data.agentId), data.server);
  }
}
