import { Controller } from '@nestjs/common';
import {
  AgentById,
  AgentCalls,
  type AgentChanged,
  AgentSignals,
  AgentSummary,
  AgentVersion,
  AgentVersionSummary,
  AgentVersionView,
  AgentView,
  CallableAgent,
  CheckCallable,
  type Count,
  CreateAgent,
  type Ctx,
  Deleted,
  type InSpace,
  ListAgents,
  ListAgentVersions,
  type Page,
  PageRequest,
  RestoreAgentVersion,
  SecretName,
  SecretUsers,
  UpdateAgent,
} from '@switchyard/contracts';
import { Handles } from '@switchyard/messaging';
import { AgentsService } from './agents.service';
import { AgentCache } from './agent-cache';

@Controller()
export class AgentsController {
  constructor(
    private readonly agents: AgentsService,
    private readonly cache: AgentCache,
  ) {}

  @Handles(AgentCalls.countAgents)
  count({ spaceId }: InSpace): Promise<Count> {
    return this.agents.count(spaceId);
  }

  @Handles(AgentCalls.create)
  create(data: CreateAgent, ctx: Ctx): Promise<AgentView> {
    return this.agents.create(ctx, data);
  }

  @Handles(AgentCalls.get)
  get(data: AgentById, ctx: Ctx): Promise<AgentView> {
    return this.agents.get(ctx, data.agentId);
  }

  @Handles(AgentCalls.list)
  list(data: ListAgents, ctx: Ctx): Promise<Page<AgentSummary>> {
    return this.agents.list(ctx, data);
  }

  @Handles(AgentCalls.secretUsers)
  secretUsers(data: SecretName, ctx: Ctx): Promise<SecretUsers> {
    return this.agents.secretUsers(ctx, data.name);
  }

  @Handles(AgentCalls.listSystem)
  listSystem(data: PageRequest): Page<AgentSummary> {
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
  listVersions(data: ListAgentVersions, ctx: Ctx): Promise<Page<AgentVersionSummary>> {
    return this.agents.listVersions(ctx, data);
  }

  @Handles(AgentCalls.listPrompts)
  listPrompts(data: PageRequest, ctx: Ctx): Promise<Page<AgentSummary>> {
    return this.agents.list(ctx, { ...data, accessibleOnly: true, prompts: true });
  }

  @Handles(AgentCalls.getVersion)
  getVersion(data: AgentVersion, ctx: Ctx): Promise<AgentVersionView> {
    return this.agents.getVersion(ctx, data);
  }

  @Handles(AgentCalls.restore)
  restore(data: RestoreAgentVersion, ctx: Ctx): Promise<AgentView> {
    return this.agents.restore(ctx, data);
  }

  @Handles(AgentCalls.checkCallable)
  checkCallable(data: CheckCallable, ctx: Ctx): Promise<CallableAgent> {
    return this.agents.checkCallable(ctx, data);
  }

  @Handles(AgentSignals.changed)
  changed({ spaceId, agentId }: AgentChanged): void {
    this.cache.invalidate(spaceId, agentId);
  }
}
