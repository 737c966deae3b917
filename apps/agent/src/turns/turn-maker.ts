import { Injectable } from '@nestjs/common';
import type { ClaimedTurn, Ctx, ModelContext, TurnRecord } from '@switchyard/contracts';
import { actAs, makeCtx } from '@switchyard/contracts';
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

  async claimed(claim: ClaimedTurn): Promise<TurnSpec> {
    const { identity, turn } = claim;
    const ctx = makeCtx(
      {
        spaceId: identity.spaceId,
        userId: identity.userId,
        role: identity.role,
        scopes: identity.scopes,
        credentialId: identity.credentialId,
        credentialType: identity.credentialType,
        applicationId: identity.applicationId,
      },
      {
        causationId: identity.causationId,
        correlationId: identity.correlationId,
        depth: identity.depth,
        traceparent: identity.traceparent,
      },
    );
    const input = claim.input as unknown as TurnInput;
    const agent = await this.agents.version(ctx, turn.agentId, input.agentVersion);
    if (!agent) throw agentNotFound();
    return this.opened(ctx, agent, input, turn, claim.context);
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
