import { Injectable } from '@nestjs/common';
import {
  AgentCalls,
  AgentStreams,
  type Ctx,
  type OwnOfTurn,
  type ModelSettings,
  SessionCalls,
  type StartChat,
  type StartExecute,
  type TurnRecord,
} from '@switchyard/contracts';
import { AppError, invalid, isId, newId } from '@switchyard/kernel';
import { Bus, type StreamReader } from '@switchyard/messaging';
import type { FrameSource } from '../streams/frame-sender';
import { namedId } from '../turns/named-id';
import { answerCalls } from './answer-calls';
import type { ReadInput } from './read-input';

/** A turn that is asked for, or gone on with, and the stretch of it that answers. */
export interface AskedTurn extends FrameSource {
  stretch: number;
  /** Begins it without waiting for what it says. Gives its session. */
  begin(): Promise<string | null>;
}

export interface Asking {
  model: string;
  input: ReadInput;
  sessionId: string | null;
  isStored: boolean;
  own: OwnOfTurn;
  instructions: string | null;
  settings: ModelSettings;
  /** The same key never runs twice. */
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

export function agentIdOf(model: string): string {
  if (!isId(model)) throw modelNotFound(model);
  return model.toLowerCase();
}

/** Equal keys name equal turns; the user and the Space are part of a turn's name already. */
const turnIdOf = (key: string | undefined): string => (key === undefined || key === '' ? newId() : namedId(key));

/** Turns as OpenAI's clients ask for them. Nothing of them runs here: they are turns like all others. */
@Injectable()
export class OpenAiTurns {
  constructor(private readonly bus: Bus) {}

  async asked(ctx: Ctx, asking: Asking): Promise<AskedTurn> {
    const { input } = asking;
    const agentId = agentIdOf(asking.model);
    if (input.kind === 'answers') {
      const turn = await answerCalls(this.bus, ctx, input.answers);
      const stretch = Math.max(...input.answers.map(({ call }) => call.stretch)) + 1;
      return this.standing(ctx, turn, stretch);
    }
    const turnId = turnIdOf(asking.key);
    const instructions = [asking.instructions, input.instructions].filter((words) => words !== null && words !== '');
    const common = {
      agentId,
      turnId,
      settings: asking.settings,
      ...asking.own,
      ...(instructions.length > 0 ? { instructions: instructions.join('\n\n') } : {}),
      source: 'chat' as const,
    };
    return asking.isStored
      ? this.chat(ctx, { ...common, ...(await this.said(ctx, asking, input)) })
      : this.stateless(ctx, {
          ...common,
          inputs: {},
          history: input.history,
          ...(input.contents ? { contents: input.contents } : {}),
        });
  }

  /** A turn that there is, from its first frame. */
  standing(ctx: Ctx, { id: turnId, agentId, sessionId }: TurnRecord, stretch: number): AskedTurn {
    const at = { agentId, turnId, after: 0 };
    return {
      ...at,
      stretch,
      open: (signal) => this.bus.stream(AgentStreams.attach, ctx, at, { signal }),
      begin: () => Promise.resolve(sessionId),
    };
  }

  find(ctx: Ctx, turnId: string): Promise<TurnRecord> {
    return this.bus.call(SessionCalls.getTurn, ctx, { turnId });
  }

  private async said(
    ctx: Ctx,
    { sessionId }: Asking,
    input: Extract<ReadInput, { kind: 'said' }>,
  ): Promise<Pick<StartChat, 'contents' | 'history' | 'sessionId'>> {
    if (input.contents === null) throw invalid('input', 'must end with what the user says');
    const ownSession = input.ownTurn === null || sessionId !== null ? null : await this.sessionOf(ctx, input.ownTurn);
    const session = sessionId ?? ownSession;
    return {
      contents: input.contents,
      ...(session === null ? {} : { sessionId: session }),
      ...(input.history.length > 0 ? { history: input.history } : {}),
    };
  }

  async sessionOf(ctx: Ctx, turnId: string): Promise<string> {
    const { sessionId } = await this.find(ctx, turnId);
    if (sessionId === null)
      throw new AppError('NOT_FOUND', 'That answer was not stored: send what was said, or ask with "store": true.');
    return sessionId;
  }

  private chat(ctx: Ctx, start: StartChat & { turnId: string }): AskedTurn {
    return this.begun(start, {
      open: (signal) => this.bus.stream(AgentStreams.chat, ctx, start, { signal }),
      begin: async () => (await this.bus.call(AgentCalls.chat, ctx, { ...start, waitMs: 0 })).session_id,
    });
  }

  private stateless(ctx: Ctx, start: StartExecute & { turnId: string }): AskedTurn {
    return this.begun(start, {
      open: (signal) => this.bus.stream(AgentStreams.execute, ctx, start, { signal }),
      begin: async () => (await this.bus.call(AgentCalls.execute, ctx, { ...start, waitMs: 0 })).session_id,
    });
  }

  private begun(
    { agentId, turnId }: { agentId: string; turnId: string },
    ways: { open: (signal: AbortSignal) => Promise<StreamReader<string>>; begin: () => Promise<string | null> },
  ): AskedTurn {
    return { agentId, turnId, after: 0, stretch: 1, ...ways };
  }
}
