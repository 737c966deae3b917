import { Injectable } from '@nestjs/common';
import { AppError, invalid, jsonEqual, newId } from '@switchyard/kernel';
import {
  type AgentChanges,
  type AgentSummary,
  type AgentVersion,
  type AgentVersionSummary,
  type AgentVersionView,
  type AgentView,
  type CallableAgent,
  type CheckCallable,
  type Count,
  type CreateAgent,
  type Ctx,
  DatasetCalls,
  type Deleted,
  hasScope,
  KeyCalls,
  type ListAgents,
  type ListAgentVersions,
  type OwnOfTurn,
  type Page,
  type PageRequest,
  requireReadable,
  requireReplaced,
  requireSpace,
  type RestoreAgentVersion,
  scopesOfAgent,
  SecretCalls,
  type SecretUsers,
  type UpdateAgent,
} from '@switchyard/contracts';
import { Database, type Tx, listById, onceAfter, requireBelowCeiling } from '@switchyard/database';
import { Bus } from '@switchyard/messaging';
import { Egress, KeyLimitsCache, SpacePolicyCache } from '@switchyard/service';
import { AgentConfig } from '../agent.config';
import { agentNotFound, AgentsRepository } from '../db/agents.repository';
import { McpToolApprovalsRepository } from '../db/mcp-tool-approvals.repository';
import { requireAuthority, requireCallable, requireEditable } from '../domain/access';
import { applyChanges } from '../domain/agent-changes';
import { checkSizes } from '../domain/agent-size-limits';
import { type AgentBody, type AgentRecord, bodyOf, emptyBody, summaryOf, viewOf } from '../domain/stored-agent';
import { secretNamesOf } from '../domain/secret-rules';
import { executeRequest } from '../domain/turn-input';
import { WebSearch } from '../toolkit/web-search';
import { AccessAudit } from './access-audit';
import { McpHeaderEncryption } from './mcp-header-encryption';
import { AgentCache } from './agent-cache';
import { SchemaCompiler } from './schema-compiler';
import { systemAgents } from './system-agents';

const SYSTEM_LIST = listById('system-agents');

@Injectable()
export class AgentsService {
  private readonly builtin: ReadonlyMap<string, AgentRecord>;

  constructor(
    private readonly database: Database,
    private readonly agents: AgentsRepository,
    private readonly approvals: McpToolApprovalsRepository,
    private readonly cache: AgentCache,
    private readonly vault: McpHeaderEncryption,
    private readonly schemas: SchemaCompiler,
    private readonly egress: Egress,
    private readonly bus: Bus,
    private readonly audit: AccessAudit,
    private readonly web: WebSearch,
    private readonly limits: KeyLimitsCache,
    private readonly policies: SpacePolicyCache,
    config: AgentConfig,
  ) {
    this.builtin = new Map(systemAgents(config.SYSTEM_AGENT_MODEL).map((agent) => [agent.id, agent]));
  }

  async create(ctx: Ctx, input: CreateAgent): Promise<AgentView> {
    const spaceId = requireSpace(ctx);
    const body = applyChanges(emptyBody(input.name, input.model, input.systemPrompt), input);
    requireAuthority(ctx, body);
    const id = newId();
    const ceiling = await this.policies.ceilingOf(spaceId, 'agents');
    const add = async (tx: Tx): Promise<AgentView> => {
      const count = (): Promise<number> => this.agents.count(tx, spaceId);
      await requireBelowCeiling(tx, { spaceId, name: 'agents', ceiling, count });
      const secrets = this.vault.seal(id, input.mcpServers ?? [], {}, []);
      return viewOf(await this.agents.add(tx, spaceId, { id, body, secrets, by: ctx.userId }));
    };
    const once = this.vault.keyedFingerprint(ctx);
    return onceAfter(this.database, once, () => this.check(ctx, body, input), add);
  }

  /** System agents are no Space's, and do not count. */
  async count(spaceId: string): Promise<Count> {
    return { count: await this.database.inSpace(spaceId, (tx) => this.agents.count(tx, spaceId)) };
  }

  async get(ctx: Ctx, id: string): Promise<AgentView> {
    return viewOf(await this.load(ctx, id));
  }

  /** An agent that the caller may call, with all that a run needs. */
  async callable(ctx: Ctx, id: string): Promise<AgentRecord> {
    const agent = await this.load(ctx, id);
    requireCallable(ctx, agent);
    requireReadable(agent.oversized ?? null);
    return agent;
  }

  /** An agent that the caller may start a turn of, or go on with one: its key may be limited to some agents. */
  async startable(ctx: Ctx, id: string): Promise<AgentRecord> {
    const agent = await this.callable(ctx, id);
    await this.requireKeyAllows(ctx, agent);
    return agent;
  }

  async requireKeyAllows(ctx: Ctx, agent: AgentRecord): Promise<void> {
    if (!(await this.keyAllows(ctx, agent))) throw new AppError('FORBIDDEN', 'This key may not call this agent.');
  }

  /** An agent that the caller may change. */
  async editable(ctx: Ctx, id: string): Promise<AgentRecord> {
    const agent = await this.load(ctx, id);
    requireEditable(ctx, agent);
    return agent;
  }

  async checkCallable(ctx: Ctx, { agentId, inputs, forReading }: CheckCallable): Promise<CallableAgent> {
    const agent = forReading === true ? await this.callable(ctx, agentId) : await this.startable(ctx, agentId);
    if (inputs) executeRequest(agent, { agentId, inputs }, { webSearch: this.web.isConfigured });
    const { id, name, model, fallbackModels, agentType, system, version } = agent;
    return { id, name, model, fallbackModels, agentType, system, version, toolScopes: scopesOfAgent(agent) };
  }

  /** As it was in one version: for a turn that another process has begun. The agent itself may be gone meanwhile. */
  async version(ctx: Ctx, id: string, version: number): Promise<AgentRecord | null> {
    const builtin = this.builtin.get(id);
    if (builtin) return builtin;
    const spaceId = requireSpace(ctx);
    return this.database.transaction(ctx, async (tx) => {
      const agent = await this.agents.find(tx, spaceId, id);
      if (agent?.version === version) return agent;
      const stored = await this.agents.findVersion(tx, spaceId, id, version);
      return stored
        ? { ...(agent ?? deleted(id)), ...stored.body, secrets: stored.secrets, version, oversized: stored.oversized }
        : agent;
    });
  }

  async list(ctx: Ctx, query: ListAgents & { prompts?: boolean }): Promise<Page<AgentSummary>> {
    const spaceId = requireSpace(ctx);
    const { agents: keyAgents } = query.accessibleOnly ? await this.limits.of(ctx) : {};
    const caller = { userId: ctx.userId, keyAgents };
    return this.database.transaction(ctx, (tx) => this.agents.list(tx, spaceId, caller, query));
  }

  listSystem(request: PageRequest): Page<AgentSummary> {
    const window = SYSTEM_LIST.windowOf(request);
    const rest = [...this.builtin.values()].filter(({ id }) => id > (window.after ?? ''));
    return SYSTEM_LIST.pageOf(rest.slice(0, window.take), window, summaryOf);
  }

  async update(ctx: Ctx, { agentId, changes, ifVersion }: UpdateAgent): Promise<AgentView> {
    const spaceId = requireSpace(ctx);
    const before = await this.load(ctx, agentId);
    requireEditable(ctx, before);
    requireReplaced(before.oversized ?? null, changes);
    const changed = applyChanges(before, changes);
    requireAuthority(ctx, changed);
    await this.check(ctx, changed, changes, before);
    return this.database.transaction(ctx, async (tx) => {
      const agent = await this.agents.getForUpdate(tx, spaceId, agentId);
      if (ifVersion !== undefined && ifVersion !== agent.version) {
        throw new AppError(
          'PRECONDITION_FAILED',
          `The agent is at version ${agent.version} now. Read it again and repeat the change.`,
        );
      }
      requireReplaced(agent.oversized ?? null, changes);
      const body = applyChanges(agent, changes);
      // Another request may have added tools since it was read.
      requireAuthority(ctx, body);
      const secrets = changes.mcpServers
        ? this.vault.seal(agentId, changes.mcpServers, agent.secrets, agent.mcpServers)
        : agent.secrets;
      // New credentials can change the tools that a server offers.
      const renewed = (changes.mcpServers ?? []).filter(({ headers }) => headers !== undefined);
      await this.approvals.remove(
        tx,
        spaceId,
        agentId,
        renewed.map(({ name }) => name),
      );
      return this.change(tx, ctx, agent, { body, secrets });
    });
  }

  async remove(ctx: Ctx, id: string): Promise<Deleted> {
    const spaceId = requireSpace(ctx);
    requireEditable(ctx, await this.load(ctx, id));
    await this.database.transaction(ctx, async (tx) => {
      await this.approvals.removeAll(tx, spaceId, id);
      await this.agents.remove(tx, spaceId, id);
    });
    this.cache.changed(ctx, id);
    this.audit.note(ctx, 'agent.deleted', id, {});
    return { id, deleted: true };
  }

  /** The agents whose MCP servers get a secret. */
  async secretUsers(ctx: Ctx, name: string): Promise<SecretUsers> {
    return { users: await this.database.transaction(ctx, (tx) => this.agents.naming(tx, requireSpace(ctx), name)) };
  }

  async listVersions(ctx: Ctx, query: ListAgentVersions): Promise<Page<AgentVersionSummary>> {
    const agent = await this.load(ctx, query.agentId);
    if (agent.system) {
      return {
        items: [
          { agentId: agent.id, version: 1, agent: summaryOf(agent), changedBy: null, createdAt: agent.createdAt },
        ],
        nextCursor: null,
      };
    }
    return this.database.transaction(ctx, (tx) => this.agents.listVersions(tx, requireSpace(ctx), agent, query));
  }

  async getVersion(ctx: Ctx, { agentId, version }: AgentVersion): Promise<AgentVersionView> {
    const agent = await this.load(ctx, agentId);
    if (agent.system && version === agent.version)
      return { agentId, version, agent: viewOf(agent), changedBy: null, createdAt: agent.createdAt };
    const spaceId = requireSpace(ctx);
    const stored = await this.database.transaction(ctx, (tx) => this.agents.findVersion(tx, spaceId, agentId, version));
    if (!stored) throw noVersion(version);
    const { body, changedBy, createdAt, oversized } = stored;
    return {
      agentId,
      version,
      agent: viewOf({ ...agent, ...body, version, updatedAt: createdAt, oversized }),
      changedBy,
      createdAt,
    };
  }

  async restore(ctx: Ctx, { agentId, version }: RestoreAgentVersion): Promise<AgentView> {
    const spaceId = requireSpace(ctx);
    requireEditable(ctx, await this.load(ctx, agentId));
    const stored = await this.database.transaction(ctx, (tx) => this.agents.findVersion(tx, spaceId, agentId, version));
    if (!stored) throw noVersion(version);
    requireAuthority(ctx, stored.body);
    requireReadable(stored.oversized);
    checkSizes(stored.body);
    // A version never changes, but what it names may be gone, or be nothing that the caller may use.
    const mcpServers = this.vault.open(agentId, stored.body.mcpServers, stored.secrets);
    await this.check(ctx, stored.body, { ...bodyOf(stored.body), mcpServers });
    return this.database.transaction(ctx, async (tx) => {
      const agent = await this.agents.getForUpdate(tx, spaceId, agentId);
      return this.change(tx, ctx, agent, stored);
    });
  }

  private async change(
    tx: Tx,
    ctx: Ctx,
    before: AgentRecord,
    next: { body: AgentBody; secrets: Record<string, string> },
  ): Promise<AgentView> {
    const after = await this.agents.change(tx, requireSpace(ctx), before.id, { ...next, by: ctx.userId });
    tx.afterCommit(() => {
      this.cache.changed(ctx, before.id);
      this.audit.changed(ctx, before.id, before, after);
    });
    return viewOf(after);
  }

  /** Permissions of the caller on the agent. */
  async load(ctx: Ctx, id: string): Promise<AgentRecord> {
    const agent = await this.find(ctx, id);
    if (!agent) throw agentNotFound();
    return agent;
  }

  /** As `load`; null where it was deleted, or never was in this Space. */
  find(ctx: Ctx, id: string): AgentRecord | Promise<AgentRecord | null> {
    return this.builtin.get(id) ?? this.cache.find(ctx, id);
  }

  /** Whether the caller's key may call it. */
  async keyAllows(ctx: Ctx, { id }: AgentRecord): Promise<boolean> {
    const { agents } = await this.limits.of(ctx);
    return agents?.includes(id) ?? true;
  }

  private async checkSecrets(ctx: Ctx, given: AgentChanges): Promise<void> {
    const names = secretNamesOf(given);
    if (names.length === 0) return;
    if (!hasScope(ctx.scopes, 'secrets:read'))
      throw new AppError('FORBIDDEN', 'Using secrets in MCP servers needs the scope secrets:read.');
    const { unknown } = await this.bus.call(SecretCalls.check, ctx, { names });
    if (unknown.length > 0)
      throw invalid('mcpServers', `name secrets that the Space does not have: ${unknown.join(', ')}`);
  }

  /** Per-call settings follow the same rules as the agent's own. */
  checkOwnOf(own: OwnOfTurn): Promise<void> {
    return this.checkSchemas(own);
  }

  /** The schema of an agent that was saved before there were limits may be one that nothing can be checked with. */
  async checkAnswerSchema({ responseSchema }: AgentRecord): Promise<void> {
    if (responseSchema) await this.schemas.checkStored(responseSchema, 'responseSchema');
  }

  private async checkSchemas(given: Pick<AgentChanges, 'localTools' | 'responseSchema'>): Promise<void> {
    if (given.responseSchema) await this.schemas.checkNew(given.responseSchema, 'responseSchema');
    for (const [at, tool] of (given.localTools ?? []).entries())
      await this.schemas.checkNew(tool.parameters, `localTools[${at}].parameters`);
  }

  /** Checks of a body that need other services or libraries. */
  private async check(ctx: Ctx, body: AgentBody, given: AgentChanges, before?: AgentBody): Promise<void> {
    await this.checkSecrets(ctx, given);
    given.mcpServers?.forEach((server, at) => this.egress.policy.checkUrl(server.url, `mcpServers[${at}].url`));
    await this.checkSchemas(withoutStoredSchemas(given, before));
    if (given.allowedUserIds && body.allowedUserIds.length > 0) {
      const { strangers } = await this.bus.call(KeyCalls.areMembers, ctx, { userIds: body.allowedUserIds });
      if (strangers.length > 0)
        throw invalid('allowedUserIds', `holds ${strangers[0] ?? ''}, who is not a member of this Space`);
    }
    for (const { datasetId } of given.knowledge ?? []) await this.bus.call(DatasetCalls.get, ctx, { id: datasetId });
  }
}

const noVersion = (version: number): AppError => new AppError('NOT_FOUND', `The agent has no version ${version}.`);

/** Unchanged fields are exempt from newer limits: clients send whole agents back with one field changed. */
function withoutStoredSchemas(
  { responseSchema, localTools }: AgentChanges,
  before: AgentBody | undefined,
): Pick<AgentChanges, 'localTools' | 'responseSchema'> {
  return {
    ...(before && jsonEqual(before.responseSchema, responseSchema) ? {} : { responseSchema }),
    ...(before && jsonEqual(before.localTools, localTools) ? {} : { localTools }),
  };
}

/** Properties beside the body of an agent of which only versions exist. */
const deleted = (id: string): Pick<AgentRecord, 'id' | 'system' | 'createdBy' | 'createdAt' | 'updatedAt'> => ({
  id,
  system: false,
  createdBy: null,
  createdAt: '',
  updatedAt: '',
});
