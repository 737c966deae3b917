import { Injectable } from '@nestjs/common';
import { AppError, failpoint, fingerprintOfLarge, poisonPoint } from '@switchyard/kernel';
import {
  type Ctx,
  type OpenedTurn,
  type PreflightReply,
  SessionCalls,
  type StartChat,
  type StartExecute,
  type TurnRecord,
} from '@switchyard/contracts';
import { Bus } from '@switchyard/messaging';
import { AgentsService } from '../../agents/agents.service';
import type { AgentRecord } from '../../domain/stored-agent';
import { chatRequest, executeRequest, type TurnRequest } from '../../domain/turn-input';
import { newTurnState, type TurnState } from '../../domain/turn-state';
import { WebSearch } from '../../toolkit/web-search';
import { PreflightCache } from '../limits/preflight-cache';
import { HeavySlots } from '../limits/heavy-slots';
import { ActiveTurns } from '../run/active-turns';
import { ContextWindowCheck } from '../run/context-window-check';
import { modelsOf } from '../run/model-requests';
import { mayPass } from '../run/session-port';
import { TurnContextLoader } from '../run/turn-context-loader';
import { type TurnSlot, TurnSlots } from '../limits/turn-slots';
import { TurnRunner } from '../run/turn-runner';
import { TurnDeps } from '../run/turn-deps';
import type { PromptParts } from '../run/turn-spec';

/** A request's turn: just begun here, or one that an equal request has begun before. */
export interface StartedTurn {
  turn: TurnRecord;
  runner: TurnRunner | null;
}

type Start = StartChat | StartExecute;

interface Admitted {
  allowed: PreflightReply;
  slot: TurnSlot;
}

interface FirstRequest {
  agent: AgentRecord;
  start: Start;
  request: TurnRequest;
  state: TurnState;
  slot: TurnSlot | null;
}

type OpenedWithTurn = OpenedTurn & { turn: TurnRecord };

/** A session that grows between the count and the opening is counted again: so often. */
const ATTEMPTS = 3;

function opened(answer: OpenedTurn): OpenedWithTurn {
  const { turn } = answer;
  if (turn === null) throw new Error(`the session gave no turn for ${answer.outcome}`);
  return { ...answer, turn };
}

/** Opens turns. All checks run here, before any output or charge. */
@Injectable()
export class TurnStarter {
  constructor(
    private readonly agents: AgentsService,
    private readonly bus: Bus,
    private readonly activeTurns: ActiveTurns,
    private readonly maker: TurnContextLoader,
    private readonly services: TurnDeps,
    private readonly web: WebSearch,
    private readonly slots: TurnSlots,
    private readonly fit: ContextWindowCheck,
    private readonly preflightCache: PreflightCache,
    private readonly heavy: HeavySlots,
  ) {}

  async chat(ctx: Ctx, chat: StartChat): Promise<StartedTurn> {
    const agent = await this.agents.startable(ctx, chat.agentId);
    await this.agents.checkOwnOf(chat);
    return this.start(ctx, agent, chat, chatRequest(agent, chat, { webSearch: this.web.isConfigured }));
  }

  async execute(ctx: Ctx, execute: StartExecute): Promise<StartedTurn> {
    const agent = await this.agents.startable(ctx, execute.agentId);
    await this.agents.checkOwnOf(execute);
    if (!execute.responseSchema) await this.agents.checkAnswerSchema(agent);
    return this.start(ctx, agent, execute, executeRequest(agent, execute, { webSearch: this.web.isConfigured }));
  }

  private async start(ctx: Ctx, agent: AgentRecord, requested: Start, request: TurnRequest): Promise<StartedTurn> {
    poisonPoint('agent.starting', request.input.query);
    const admitted = await this.admit(ctx, agent, requested, request);
    const slot = admitted?.slot ?? null;
    try {
      const started = await this.begin(ctx, agent, requested, { request, admitted });
      if (started.runner === null) slot?.leave();
      return started;
    } catch (error) {
      slot?.leave();
      throw error;
    }
  }

  private async begin(
    ctx: Ctx,
    agent: AgentRecord,
    requested: Start,
    { request, admitted }: { request: TurnRequest; admitted: Admitted | null },
  ): Promise<StartedTurn> {
    const state = newTurnState(agent.model);
    const first = { agent, start: requested, request, state, slot: admitted?.slot ?? null };
    if (admitted) request.input.contextWindow = admitted.allowed.contextWindow;
    const prepared = admitted && (await this.maker.prepared(ctx, agent, request.input));
    const { outcome, turn, context } =
      admitted && prepared
        ? await this.heavy.runIfLarge(ctx, textsOf(request) + prepared.tools.definitionBytes, () =>
            this.openWithin(ctx, first, { parts: prepared, cap: admitted.allowed.requestTokenCap }),
          )
        : opened(await this.open(ctx, first, null));
    await failpoint('agent.turn-opened');
    if (outcome !== 'opened') return { turn, runner: null };
    const parts = prepared ?? (await this.maker.prepared(ctx, agent, request.input));
    const spec = this.maker.opened(ctx, { ...parts, context }, turn);
    const slot = admitted?.slot ?? this.slots.adopt(spec.ctx);
    const runner = new TurnRunner(spec, this.activeTurns.newFeed(spec, 0), state, this.services, slot);
    this.activeTurns.hold(runner);
    runner.start({ type: 'begin' });
    return { turn, runner };
  }

  /**
   * Balance, caps, model, and a place. A request that only asks again for its own turn is not refused for them: null.
   */
  private async admit(ctx: Ctx, agent: AgentRecord, requested: Start, request: TurnRequest): Promise<Admitted | null> {
    try {
      const allowed = await this.heavy.runIfLarge(ctx, textsOf(request), () => this.preflight(ctx, agent, request));
      return { allowed, slot: await this.slots.take(ctx) };
    } catch (refusal) {
      if (requested.turnId !== undefined && (await this.exists(ctx, requested.turnId))) return null;
      throw refusal;
    }
  }

  private preflight(ctx: Ctx, agent: AgentRecord, request: TurnRequest): Promise<PreflightReply> {
    return this.preflightCache.ask(ctx, {
      messages: [
        { role: 'system', content: request.input.prompt },
        { role: 'user', content: request.input.query },
      ],
      ...modelsOf(agent),
      ...(request.input.settings.max_tokens === undefined ? {} : { maxTokens: request.input.settings.max_tokens }),
    });
  }

  private async exists(ctx: Ctx, turnId: string): Promise<boolean> {
    try {
      const { userId } = await this.bus.call(SessionCalls.getTurn, ctx, { turnId });
      // Callers that may read all turns of a Space also find turns of others with the same id.
      return userId === ctx.userId;
    } catch (error) {
      // The state is unknown: the turn may have run and been charged, so it is not refused.
      if (mayPass(error)) throw error;
      return false;
    }
  }

  /** Opens the turn only if its first model call is within the cap of a request: else nothing is written. */
  private async openWithin(
    ctx: Ctx,
    first: FirstRequest,
    { parts, cap }: { parts: PromptParts; cap: number },
  ): Promise<OpenedWithTurn> {
    const { start, request, state } = first;
    if (request.stateless) {
      const refusal = await this.fit.refusal(ctx, parts, state, cap);
      if (refusal && !(start.turnId !== undefined && (await this.exists(ctx, start.turnId)))) throw refusal;
      return opened(await this.open(ctx, first, null));
    }
    let limit = this.fit.contextTokenLimit(parts, state, cap);
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const answer = await this.open(ctx, first, limit);
      if (answer.outcome !== 'over-limit') return opened(answer);
      const refusal = await this.fit.refusal(ctx, { ...parts, context: answer.context }, state, cap);
      if (refusal) throw refusal;
      limit = answer.contextTokens ?? null;
    }
    throw new AppError('SERVICE_UNAVAILABLE', 'This session is busy. Try again.', { retryAfterSeconds: 1 });
  }

  private async open(
    ctx: Ctx,
    { agent, start, request, slot }: FirstRequest,
    contextTokenLimit: number | null,
  ): Promise<OpenedTurn> {
    const fingerprint = start.fingerprint ?? (await fingerprintOf(start));
    const waiting = slot?.mayBegin();
    if (waiting) await waiting;
    return this.bus.call(SessionCalls.openTurn, ctx, {
      ...(start.turnId === undefined ? {} : { turnId: start.turnId }),
      agentId: agent.id,
      agentName: agent.name,
      ...(request.sessionId === undefined ? {} : { sessionId: request.sessionId, ...request.session }),
      ...(request.stateless
        ? { stateless: true }
        : {
            message: { ...request.named, role: 'user' as const, content: request.contents },
            ...(request.history.length > 0 ? { before: request.history } : {}),
          }),
      fingerprint,
      input: { ...request.input },
      model: agent.model,
      contextWindow: Math.max(1, request.input.contextWindow),
      owner: this.activeTurns.owner,
      ...(contextTokenLimit === null ? {} : { contextTokenLimit }),
    });
  }
}

const textsOf = ({ input: { prompt, query } }: TurnRequest): number => prompt.length + query.length;

/** Names what was asked, and may be megabytes; how long the caller waits and under which id is no part of it. */
function fingerprintOf(request: Start): Promise<string> {
  const { turnId: _turn, waitMs: _wait, fingerprint: _name, source: _source, ...rest } = request;
  return fingerprintOfLarge(rest);
}
