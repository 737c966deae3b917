import { Injectable } from '@nestjs/common';
import { failpoint, fingerprintOfLarge, poisonPoint } from '@switchyard/kernel';
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
import type { AgentRecord } from '../../domain/agent-record';
import { chatRequest, executeRequest, type TurnRequest } from '../../domain/turn-input';
import { newTurnState } from '../../domain/turn-state';
import { WebSearch } from '../../toolkit/web-search';
import { Allowances } from '../limits/allowances';
import { HeldTurns } from '../run/held-turns';
import { RequestFit } from '../run/request-fit';
import { mayPass } from '../run/session-port';
import { TurnMaker } from '../run/turn-maker';
import { type TurnPlace, TurnPlaces } from '../limits/turn-places';
import { TurnRunner } from '../run/turn-runner';
import { TurnServices } from '../run/turn-services';
import { endTurnSpan } from '../run/turn-span';

/** A request's turn: just begun here, or one that an equal request has begun before. */
export interface StartedTurn {
  turn: TurnRecord;
  runner: TurnRunner | null;
}

type Start = StartChat | StartExecute;

interface Admitted {
  allowed: PreflightReply;
  place: TurnPlace;
}

/** Opens turns. Whatever can refuse one does so here, before anything is said or charged. */
@Injectable()
export class TurnStarter {
  constructor(
    private readonly agents: AgentsService,
    private readonly bus: Bus,
    private readonly held: HeldTurns,
    private readonly maker: TurnMaker,
    private readonly services: TurnServices,
    private readonly web: WebSearch,
    private readonly places: TurnPlaces,
    private readonly fit: RequestFit,
    private readonly allowances: Allowances,
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

  private async start(ctx: Ctx, agent: AgentRecord, asked: Start, request: TurnRequest): Promise<StartedTurn> {
    poisonPoint('agent.starting', request.input.query);
    const admitted = await this.admit(ctx, agent, asked, request);
    const place = admitted?.place ?? null;
    try {
      const started = await this.begin(ctx, agent, asked, { request, admitted });
      if (started.runner === null) place?.leave();
      return started;
    } catch (error) {
      place?.leave();
      throw error;
    }
  }

  private async begin(
    ctx: Ctx,
    agent: AgentRecord,
    asked: Start,
    { request, admitted }: { request: TurnRequest; admitted: Admitted | null },
  ): Promise<StartedTurn> {
    const allowed = admitted?.allowed ?? null;
    if (allowed) request.input.contextWindow = allowed.contextWindow;
    const opened = await this.open(ctx, agent, asked, request);
    await failpoint('agent.turn-opened');
    if (opened.outcome !== 'opened') return { turn: opened.turn, runner: null };
    const spec = await this.maker.opened(ctx, agent, request.input, opened.turn, opened.context);
    // What the past and the tools add to the question is known only now, and still before anything is said.
    const state = newTurnState(agent.model);
    const refusal = allowed && (await this.fit.refusal(ctx, spec, state, allowed.requestTokenCap));
    if (refusal) {
      endTurnSpan(spec.span, Promise.reject(refusal));
      const { key, epoch } = opened.turn;
      const withdrawal = { key, epoch, sessionCreated: opened.sessionCreated };
      // Where that fails as well, the turn is taken over when its lease is out, and ends with the same refusal.
      await this.bus.call(SessionCalls.withdrawTurn, ctx, withdrawal).catch(() => undefined);
      throw refusal;
    }
    const place = admitted?.place ?? this.places.adopt(spec.ctx);
    const runner = new TurnRunner(spec, this.held.newFeed(spec, 0), state, this.services, place);
    this.held.hold(runner);
    runner.start({ type: 'begin' });
    return { turn: opened.turn, runner };
  }

  /** Balance, caps, model, and a place. A request that only asks again for its own turn is not refused for them: null. */
  private async admit(ctx: Ctx, agent: AgentRecord, asked: Start, request: TurnRequest): Promise<Admitted | null> {
    try {
      const allowed = await this.preflight(ctx, agent, request);
      return { allowed, place: await this.places.take(ctx) };
    } catch (refusal) {
      if (asked.turnId !== undefined && (await this.exists(ctx, asked.turnId))) return null;
      throw refusal;
    }
  }

  private preflight(ctx: Ctx, agent: AgentRecord, request: TurnRequest): Promise<PreflightReply> {
    return this.allowances.ask(ctx, {
      model: agent.model,
      messages: [
        { role: 'system', content: request.input.prompt },
        { role: 'user', content: request.input.query },
      ],
      ...(request.input.settings.max_tokens === undefined ? {} : { maxTokens: request.input.settings.max_tokens }),
    });
  }

  private async exists(ctx: Ctx, turnId: string): Promise<boolean> {
    try {
      const { userId } = await this.bus.call(SessionCalls.getTurn, ctx, { turnId });
      // Who may read all turns of a Space finds those of others too, that have the same id.
      return userId === ctx.userId;
    } catch (error) {
      // Nobody can tell just now: to refuse what has perhaps been done and paid would be untrue.
      if (mayPass(error)) throw error;
      return false;
    }
  }

  private async open(ctx: Ctx, agent: AgentRecord, asked: Start, request: TurnRequest): Promise<OpenedTurn> {
    const fingerprint = asked.fingerprint ?? (await fingerprintOf(asked));
    return this.bus.call(SessionCalls.openTurn, ctx, {
      ...(asked.turnId === undefined ? {} : { turnId: asked.turnId }),
      agentId: agent.id,
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
      owner: this.held.owner,
    });
  }
}

/** Names what was asked, and may be megabytes; how long the caller waits and under which id is no part of it. */
function fingerprintOf(asked: Start): Promise<string> {
  const { turnId: _turn, waitMs: _wait, fingerprint: _name, source: _source, ...rest } = asked;
  return fingerprintOfLarge(rest);
}
