import { Injectable } from '@nestjs/common';
import type { ClaimedTurn, Ctx, ModelContext, TurnRecord } from '@switchyard/contracts';
import { actAs, KeyCalls, makeCtx, type Role, serviceCtx } from '@switchyard/contracts';
import { AppError } from '@switchyard/kernel';
import { Bus } from '@switchyard/messaging';
import { AgentConfig } from '../agent.config';
import { AgentsService } from '../agents/agents.service';
import { agentNotFound } from '../db/agents.repository';
import type { AgentRecord } from '../domain/agent-record';
import type { TurnInput } from '../domain/turn-input';
import type { TurnFacts } from '../domain/turn-state';
import { Memories } from '../tools/memories';
import { Toolbox } from '../tools/toolbox';
import { turnSpan } from './turn-span';
import type { TurnSpec } from './turn-spec';

const NEVER = new AbortController().signal;

/** Puts together what a turn needs to run, for a new one and for one that another process has begun. */
@Injectable()
export class TurnMaker {
  constructor(
    private readonly agents: AgentsService,
    private readonly toolbox: Toolbox,
    private readonly memories: Memories,
    private readonly config: AgentConfig,
    private readonly bus: Bus,
  ) {}

  async opened(
    ctx: Ctx,
    agent: AgentRecord,
    input: TurnInput,
    turn: TurnRecord,
    context: ModelContext | null,
  ): Promise<TurnSpec> {
    // The turn outlives the request that opened it.
    const span = turnSpan(ctx, agent, turn);
    const own: Ctx = {
      ...actAs(ctx, {}),
      signal: NEVER,
      ...(span === null ? {} : { traceparent: span.traceparent }),
    };
    const [tools, memories] = await Promise.all([
      this.toolbox.forTurn(own, agent, input),
      input.memory ? this.memories.recall(own, agent.id) : [],
    ]);
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

  /** Of a turn that may have waited for days: its user acts with the role of now, and with none after leaving the Space. */
  async claimed(claim: ClaimedTurn): Promise<{ spec: TurnSpec; userIsGone: boolean }> {
    const { identity, turn } = claim;
    const role = await this.roleOf(identity);
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
    const input = claim.input as unknown as TurnInput;
    const agent = await this.agents.version(ctx, turn.agentId, input.agentVersion);
    if (!agent) throw agentNotFound();
    const userIsGone = role === null;
    // Nothing is connected to for a user who is gone.
    const usable = userIsGone ? { ...agent, mcpServers: [] } : agent;
    return { spec: await this.opened(ctx, usable, input, turn, claim.context), userIsGone };
  }

  private async roleOf({ userId, spaceId }: ClaimedTurn['identity']): Promise<Role | null> {
    const ctx = actAs(serviceCtx('agent'), { spaceId });
    try {
      return (await this.bus.call(KeyCalls.resolveMember, ctx, { userId, spaceId })).role;
    } catch (error) {
      if (error instanceof AppError && error.code === 'NOT_FOUND') return null;
      throw error;
    }
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
      structured: input.kind === 'execute' && agent.responseSchema !== null,
    };
  }
}
