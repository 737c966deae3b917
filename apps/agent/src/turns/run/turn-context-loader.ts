import { Injectable } from '@nestjs/common';
import type { ClaimedTurn, Ctx, ModelContext, TurnRecord } from '@switchyard/contracts';
import { actAs, makeCtx } from '@switchyard/contracts';
import { poisonPoint, type Span } from '@switchyard/kernel';
import { AgentConfig } from '../../agent.config';
import { AgentsService } from '../../agents/agents.service';
import { agentNotFound } from '../../db/agents.repository';
import type { AgentRecord } from '../../domain/stored-agent';
import { schemaOf, type TurnInput } from '../../domain/turn-input';
import type { TurnFacts } from '../../domain/turn-state';
import { MemoryStore } from '../../tools/memory-store';
import { ToolsetBuilder } from '../../tools/toolset-builder';
import { MemberRoles } from './member-roles';
import { turnSpan } from './turn-span';
import type { PromptParts, TurnSpec } from './turn-spec';

const NEVER = new AbortController().signal;

/** The turn outlives the request that opened it. */
const ownCtx = (ctx: Ctx, span: Span | null): Ctx => ({
  ...actAs(ctx, {}),
  signal: NEVER,
  ...(span === null ? {} : { traceparent: span.traceparent }),
});

/** Puts together what a turn needs to run, for a new one and for one that another process has begun. */
@Injectable()
export class TurnContextLoader {
  constructor(
    private readonly agents: AgentsService,
    private readonly toolsetBuilder: ToolsetBuilder,
    private readonly memoryStore: MemoryStore,
    private readonly config: AgentConfig,
    private readonly memberRoles: MemberRoles,
  ) {}

  /** Before the turn is opened: its size depends on all of this. */
  prepared(ctx: Ctx, agent: AgentRecord, input: TurnInput): Promise<PromptParts> {
    return this.partsOf(ownCtx(ctx, null), agent, input, null);
  }

  opened(ctx: Ctx, parts: PromptParts, turn: TurnRecord): TurnSpec {
    poisonPoint('agent.turn', parts.input.query);
    const span = turnSpan(ctx, parts.agent, turn);
    return this.specOf(ownCtx(ctx, span), parts, turn, span);
  }

  private async partsOf(
    own: Ctx,
    agent: AgentRecord,
    input: TurnInput,
    context: ModelContext | null,
  ): Promise<PromptParts> {
    const [tools, memories] = await Promise.all([
      this.toolsetBuilder.forTurn(own, agent, input),
      input.memory ? this.memoryStore.recall(own, agent.id) : [],
    ]);
    return { agent, input, context, tools, memories };
  }

  private specOf(own: Ctx, parts: PromptParts, turn: TurnRecord, span: Span | null): TurnSpec {
    const { agent, input, context, tools, memories } = parts;
    return {
      key: turn.key,
      epoch: turn.epoch,
      ctx: own,
      span,
      facts: this.facts(agent, input, turn),
      agent,
      input,
      context,
      tools,
      memories,
    };
  }

  /**
   * Of a turn that others have begun: its user acts with the role of now, and with none after leaving the Space.
   * `waited`: for a person, for days perhaps. The API key that it was begun with must still open something then. A task
   * acts as its owner, and the key that runs it lends its limits alone: it may be another person's, or ended since.
   */
  async claimed(
    claim: ClaimedTurn,
    { waited, traced = true }: { waited: boolean; traced?: boolean },
  ): Promise<{ spec: TurnSpec; userHasLeft: boolean }> {
    const { identity, turn, context } = claim;
    const input = claim.input as unknown as TurnInput;
    const role = await this.memberRoles.roleOf(identity, { withKey: waited && input.source !== 'task' });
    const ctx = makeCtx(
      {
        spaceId: identity.spaceId,
        userId: identity.userId,
        role,
        scopes: role === null ? [] : identity.scopes,
        credentialId: identity.credentialId,
        credentialType: identity.credentialType,
        applicationId: identity.applicationId,
      },
      {
        causationId: identity.causationId,
        correlationId: identity.correlationId,
        depth: identity.depth,
        traceparent: identity.traceparent,
        lineage: identity.lineage,
      },
    );
    const agent = await this.agents.version(ctx, turn.agentId, input.agentVersion);
    if (!agent) throw agentNotFound();
    const userHasLeft = role === null;
    // Nothing is connected to for a user who is gone.
    const usable = userHasLeft ? { ...agent, mcpServers: [] } : agent;
    const span = traced ? turnSpan(ctx, usable, turn) : null;
    poisonPoint('agent.turn', input.query);
    const own = ownCtx(ctx, span);
    return { spec: this.specOf(own, await this.partsOf(own, usable, input, context), turn, span), userHasLeft };
  }

  private facts(agent: AgentRecord, input: TurnInput, turn: TurnRecord): TurnFacts {
    return {
      turnId: turn.id,
      sessionId: turn.sessionId,
      agentId: agent.id,
      agentName: agent.name,
      kind: input.kind,
      maxSteps: Math.min(agent.maxSteps ?? this.config.TURN_MAX_STEPS, this.config.TURN_MAX_STEPS),
      askMode: input.askMode,
      canAsk: turn.sessionId !== null,
      hasKnowledge: input.knowledge,
      structured: schemaOf(agent, input) !== null,
      ...(input.metadata ? { metadata: input.metadata } : {}),
    };
  }
}
