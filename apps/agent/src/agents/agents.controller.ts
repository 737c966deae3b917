import { Controller } from '@nestjs/common';
import {
  AgentById,
  AgentCalls,
  type AgentChanged,
  AgentSignals,
  AgentVersionView,
  AgentView,
  ApprovalVerdict,
  CallableAgent,
  CheckApproval,
  CheckCallable,
  CreateAgent,
  type Ctx,
  Deleted,
  ListAgents,
  ListAgentVersions,
  McpToolsView,
  type Page,
  PageRequest,
  RestoreAgentVersion,
  SecretName,
  SecretUsers,
  UpdateAgent,
} from '@switchyard/contracts';
import { Handles } from '@switchyard/messaging';
import { McpToolsService } from '../mcp/mcp-tools.service';
import { ApprovalChecks } from '../turns/approval-checks';
import { AgentsService } from './agents.service';
import { KnownAgents } from './known-agents';

@Controller()
export class AgentsController {
  constructor(
    private readonly agents: AgentsService,
    private readonly known: KnownAgents,
    private readonly mcp: McpToolsService,
    private readonly approvals: ApprovalChecks,
  ) {}

  @Handles(AgentCalls.create)
  create(data: CreateAgent, ctx: Ctx): Promise<AgentView> {
    return this.agents.create(ctx, data);
  }

  @Handles(AgentCalls.get)
  get(data: AgentById, ctx: Ctx): Promise<AgentView> {
    return this.agents.get(ctx, data.agentId);
  }

  @Handles(AgentCalls.list)
  list(data: ListAgents, ctx: Ctx): Promise<Page<AgentView>> {
    return this.agents.list(ctx, data);
  }

  @Handles(AgentCalls.secretUsers)
  secretUsers(data: SecretName, ctx: Ctx): Promise<SecretUsers> {
    return this.agents.secretUsers(ctx, data.name);
  }

  @Handles(AgentCalls.listSystem)
  listSystem(data: PageRequest): Page<AgentView> {
    return this.agents.listSystem(data);
  }

  @Handles(AgentCalls.update)
  update(data: UpdateAgent, ctx: Ctx): Promise<AgentView> {
    return this.agents.update(ctx, data);
  }

  @Handles(AgentCalls.remove)
  remove(data: AgentById, ctx: Ctx): Promise<Deleted> {
    return this.agents.remove(ctx, data.agentId);
  }

  @Handles(AgentCalls.listVersions)
  listVersions(data: ListAgentVersions, ctx: Ctx): Promise<Page<AgentVersionView>> {
    return this.agents.listVersions(ctx, data);
  }

  @Handles(AgentCalls.restore)
  restore(data: RestoreAgentVersion, ctx: Ctx): Promise<AgentView> {
    return this.agents.restore(ctx, data);
  }

  @Handles(AgentCalls.checkCallable)
  checkCallable(data: CheckCallable, ctx: Ctx): Promise<CallableAgent> {
    return this.agents.checkCallable(ctx, data);
  }

  @Handles(AgentCalls.checkApproval)
  checkApproval(data: CheckApproval, ctx: Ctx): Promise<ApprovalVerdict> {
    return this.approvals.check(ctx, data);
  }

  @Handles(AgentSignals.changed)
  changed({ spaceId, agentId }: AgentChanged): void {
    this.known.forget(spaceId, agentId);
  }

  @Handles(AgentCalls.mcpTools)
  async mcpTools(data: AgentById, ctx: Ctx): Promise<McpToolsView> {
    // Connects to the servers in the agent's name: more than a read.
    return this.mcp.list(ctx, await this.agents.startable(ctx, data.agentId));
  }
}
