import { Injectable } from '@nestjs/common';
import {
  AgentCalls,
  AgentStreams,
  type Ctx,
  lending,
  type OwnOfTurn,
  type ModelSettings,
  SessionCalls,
  type StartChat,
  type StartExecute,
  type TurnRecord,
} from '@switchyard/contracts';
import { AppError, invalid, isId } from '@switchyard/kernel';
import { Bus } from '@switchyard/messaging';
import { FrameFollower } from '../../turn-events/frame-follower';
import type { FrameSource } from '../../turn-events/turn-streamer';
import { turnIdOfKey } from '../../routes/turns/deterministic-id';
import { findOwnTurn } from '../../routes/turns/find-own-turn';
import { answerCalls } from '../../turn-events/submit-client-answers';
import { HasMetadata, type Metadata } from './metadata';
import { callName } from '../../turn-events/client-call-ids';
import type { CallAnswer, ReadInput } from '../../turn-events/read-client-input';
import { openTurn } from '../../turn-events/open-turn';

/** A new or continued turn, and the segment that answers the request. */
export interface TurnHandle extends FrameSource {
  isAgain: boolean;
  segment: number;
  /** Starts it without waiting for output. Returns its session. */
  begin(): Promise<string | null>;
}

export interface TurnRequest {
  model: string;
  input: ReadInput;
  sessionId: string | null;
  /** The turn that the request continues, instead of a session. */
  afterTurn: string | null;
  isStored: boolean;
  /** For the answer: without a waiting client, calls may be answered one by one. */
  waits: boolean;
  metadata: Metadata;
  own: OwnOfTurn;
  instructions: string | null;
  settings: ModelSettings;
  /** The same key never runs twice on the same route. */
  route: 'responses' | 'chat/completions';
  key: string | undefined;
}

const modelNotFound = (model: string): AppError =>
  new AppError(
    'NOT_FOUND',
    `There is no model ${JSON.stringify(model.slice(0, 100))}. GET /openai/v1/models lists what there is.`,
    {
      details: [{ path: 'model', message: 'names no agent' }],
    },
  );

const notStored = (): AppError =>
  new AppError(
    'IDEMPOTENCY_CONFLICT',
    'The response of this Idempotency-Key was asked for with store: false: its own stream alone could read it.',
    { headers: { 'x-should-retry': 'false' } },
  );

export function agentIdOf(model: string): string {
  if (!isId(model)) throw modelNotFound(model);
  return model.toLowerCase();
}

/** A turn continues when all its calls have outputs: a request with only some of them would wait for ever. */
function checkComplete({ openCalls = [] }: TurnRecord, answers: readonly CallAnswer[]): void {
  const given = new Set(answers.map(({ call }) => ('callId' in call ? call.callId : null)));
  // Of outputs that have counted before, the turn may be at later calls by now.
  const isNew = openCalls.some((open) => given.has(open));
  const callId = openCalls.find((open) => !given.has(open));
  const [first] = answers;
  if (!isNew || callId === undefined || !first) return;
  const { turnId, segment } = first.call;
  throw invalid('input', `No tool output found for function call ${callName({ turnId, segment, callId })}.`);
}

/** Turns as OpenAI's clients ask for them. Nothing of them runs here: they are turns like all others. */
@Injectable()
export class OpenAiTurns {
  constructor(
    private readonly bus: Bus,
    private readonly follower: FrameFollower,
  ) {}

  async start(ctx: Ctx, asking: TurnRequest): Promise<TurnHandle> {
    const { input } = asking;
    const agentId = agentIdOf(asking.model);
    if (input.kind === 'answers') {
      const { turn, isAgain } = await answerCalls(this.bus, ctx, input.answers, async (asker) => {
        await this.checkAsker(ctx, asking, asker);
        if (asking.waits) checkComplete(asker, input.answers);
      });
      const segment = Math.max(...input.answers.map(({ call }) => call.segment)) + 1;
      return { ...this.ownStream(ctx, turn, segment), isAgain };
    }
    const turnId = turnIdOfKey(asking.route, asking.key);
    const isAgain = asking.key !== undefined && (await this.isThere(ctx, turnId));
    const instructions = [asking.instructions, input.instructions].filter((words) => words !== null && words !== '');
    const common = {
      agentId,
      turnId,
      settings: asking.settings,
      ...asking.own,
      ...(Object.keys(asking.metadata).length > 0 ? { metadata: asking.metadata } : {}),
      ...(instructions.length > 0 ? { instructions: instructions.join('\n\n') } : {}),
      source: 'chat' as const,
    };
    return asking.isStored
      ? this.chat(
          ctx,
          { ...common, ...(await this.checkRepeat(ctx, asking, input, { agentId, nextTurnId: turnId })) },
          isAgain,
        )
      : this.stateless(
          ctx,
          {
            ...common,
            inputs: {},
            history: input.history,
            ...(input.contents ? { contents: input.contents } : {}),
            // A chat completion cannot be fetched by its id.
            ...(asking.route === 'responses' ? { isUnstored: true } : {}),
          },
          isAgain,
        );
  }

  /** An answer continues the turn that asked. References to another turn are refused, not ignored. */
  private async checkAsker(ctx: Ctx, asking: TurnRequest, turn: TurnRecord): Promise<void> {
    const { model, sessionId, afterTurn, metadata } = asking;
    if (agentIdOf(model) !== turn.agentId) throw invalid('model', 'is not the one whose calls are answered');
    if (afterTurn !== null && afterTurn !== turn.id)
      throw invalid('previous_response_id', 'is not the response whose calls are answered');
    if (sessionId !== null && sessionId !== turn.sessionId)
      throw invalid('conversation', 'is not the one whose calls are answered');
    if (Object.keys(metadata).length === 0) return;
    const projection = new HasMetadata(metadata);
    await this.follower.follow(ctx, { ...this.ownStream(ctx, turn, 1), projection });
    if (!projection.isTrue)
      throw invalid('metadata', 'must be that of the response whose calls are answered, or be left out');
  }

  /** Reads an existing turn from its first frame, or after a given one. */
  standing(ctx: Ctx, { id: turnId, agentId, sessionId }: TurnRecord, segment: number, after = 0): TurnHandle {
    const at = { agentId, turnId, after };
    return {
      ...at,
      segment,
      isAgain: false,
      open: (signal) => this.bus.stream(AgentStreams.attach, ctx, at, { signal }),
      begin: () => Promise.resolve(sessionId),
    };
  }

  /** The same for the caller who started or continues the turn: an unstored turn is visible to no other. */
  private ownStream(ctx: Ctx, turn: TurnRecord, segment: number): TurnHandle {
    const found = this.standing(ctx, turn, segment);
    if (!turn.isUnstored) return found;
    const at = { agentId: turn.agentId, turnId: turn.id, after: 0, isOwnStream: true };
    return { ...found, isUnstored: true, open: (signal) => this.bus.stream(AgentStreams.attach, ctx, at, { signal }) };
  }

  private async isThere(ctx: Ctx, turnId: string): Promise<boolean> {
    const turn = await findOwnTurn(this.bus, ctx, turnId);
    if (turn?.isUnstored) throw notStored();
    return turn !== null;
  }

  /** Refuses those who may not call its agent any more. A deleted agent's turns stay readable, as their streams do. */
  async checkReadable(ctx: Ctx, { agentId }: TurnRecord): Promise<void> {
    try {
      await this.bus.call(AgentCalls.checkCallable, ctx, { agentId, forReading: true });
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'NOT_FOUND')) throw error;
    }
  }

  /** A turn that may be read. */
  async find(ctx: Ctx, turnId: string): Promise<TurnRecord> {
    const turn = await this.findAny(ctx, turnId);
    if (turn.isUnstored) throw new AppError('NOT_FOUND', 'Response not found.');
    return turn;
  }

  findAny(ctx: Ctx, turnId: string): Promise<TurnRecord> {
    return this.bus.call(SessionCalls.getTurn, ctx, { turnId });
  }

  private async sessionAfter(ctx: Ctx, turnId: string, next: { agentId: string; nextTurnId: string }): Promise<string> {
    return (await this.bus.call(SessionCalls.goOnAfter, ctx, { turnId, ...next })).id;
  }

  private async checkRepeat(
    ctx: Ctx,
    { sessionId, afterTurn }: TurnRequest,
    input: Extract<ReadInput, { kind: 'said' }>,
    next: { agentId: string; nextTurnId: string },
  ): Promise<Pick<StartChat, 'contents' | 'history' | 'sessionId'>> {
    if (input.contents === null) throw invalid('input', 'must end with what the user says');
    await this.checkExisting(ctx, { sessionId, afterTurn }, input.ownTurn);
    const after = afterTurn ?? input.ownTurn;
    const session = sessionId ?? (after === null ? null : await this.sessionAfter(ctx, after, next));
    return {
      contents: input.contents,
      ...(session === null ? {} : { sessionId: session }),
      ...(input.history.length > 0 ? { history: input.history } : {}),
    };
  }

  /** Output items are not repeated, since the conversation has them: it must be the named conversation. */
  private async checkExisting(
    ctx: Ctx,
    { sessionId, afterTurn }: Pick<TurnRequest, 'sessionId' | 'afterTurn'>,
    ownTurn: string | null,
  ): Promise<void> {
    if (ownTurn === null || ownTurn === afterTurn || (sessionId === null && afterTurn === null)) return;
    const named = sessionId ?? (await this.find(ctx, afterTurn ?? ownTurn)).sessionId;
    if (named === null) return;
    const lent = lending(ctx, SessionCalls.listMessages);
    const { items } = await this.bus.call(SessionCalls.listMessages, lent, {
      sessionId: named,
      turnId: ownTurn,
      limit: 1,
    });
    if (items.length === 0) throw invalid('input', 'holds items of an answer that this conversation does not have');
  }

  private chat(ctx: Ctx, start: StartChat & { turnId: string }, isAgain: boolean): TurnHandle {
    return this.begun(start, {
      isAgain,
      open: (signal) => openTurn(this.bus, ctx, { contract: AgentStreams.chat, start, signal }),
      begin: async () => (await this.bus.call(AgentCalls.chat, ctx, { ...start, waitMs: 0 })).session_id,
    });
  }

  private stateless(ctx: Ctx, start: StartExecute & { turnId: string }, isAgain: boolean): TurnHandle {
    return this.begun(start, {
      isAgain,
      open: (signal) => openTurn(this.bus, ctx, { contract: AgentStreams.execute, start, signal }),
      begin: async () =>
        (await this.bus.call(AgentCalls.execute, ctx, { ...start, waitMs: 0 }, { workId: start.turnId })).session_id,
    });
  }

  private begun(
    { agentId, turnId, isUnstored = false }: { agentId: string; turnId: string; isUnstored?: boolean },
    ways: Pick<TurnHandle, 'isAgain' | 'open' | 'begin'>,
  ): TurnHandle {
    return { agentId, turnId, after: 0, segment: 1, ...(isUnstored ? { isUnstored } : {}), ...ways };
  }
}
