import { Injectable } from '@nestjs/common';
import {
  AgentCalls,
  AgentStreams,
  type Ctx,
  requireSpace,
  requireUser,
  SessionCalls,
  type StartChat,
} from '@switchyard/contracts';
import { AppError, fingerprintOfLarge, isId } from '@switchyard/kernel';
import { Bus, type StreamReader } from '@switchyard/messaging';
import { answerCalls } from '../../turn-events/submit-client-answers';
import type { CallAnswer } from '../../turn-events/read-client-input';
import { ownOf } from '../../turn-events/turn-settings-from-request';
import type { RunContext } from './ag-ui-projection';
import type { FrameSource } from '../../turn-events/turn-streamer';
import { idOrNamed } from '../../routes/turns/deterministic-id';
import type { RunAgentBody } from './ag-ui.dto';
import { nothingNew, readRun, type ReadRun, toolsOf } from './read-run';
import { openTurn } from '../../turn-events/open-turn';

/** A run, with the turn and the segment that its events come from. */
export interface RunHandle extends FrameSource {
  from: RunContext['from'];
}

type NewMessages = Extract<ReadRun, { kind: 'said' }>;
type Resume = Extract<ReadRun, { kind: 'resume' }>;

const LIMIT = 100;

/** Runs as AG-UI's clients ask for them. Nothing of them runs here: they are turns like all others. */
@Injectable()
export class AgUiRuns {
  constructor(private readonly bus: Bus) {}

  async start(ctx: Ctx, agentId: string, body: RunAgentBody): Promise<RunHandle> {
    const run = readRun(body);
    const tools = toolsOf(body.tools);
    const sessionId = sessionOf(ctx, body.threadId);
    if (run.kind === 'resume') return this.resumed(ctx, { agentId, sessionId }, run);
    if (run.kind === 'answers') return this.answered(ctx, { agentId, sessionId }, run.answers);
    const start = await this.startOf(ctx, { agentId, sessionId }, body, run);
    const chat = { ...start, ...ownOf(tools, null) };
    // A run is refused before its thread gets a session.
    const makesSession = isId(body.threadId) ? ('own' as const) : ('named' as const);
    return {
      agentId,
      turnId: chat.turnId,
      after: 0,
      from: { segment: 1 },
      open: (signal) => this.open(ctx, chat, { history: run.history, makesSession }, signal),
    };
  }

  /** For a new session all messages of the thread are history; later only the newest one is new. */
  private async open(
    ctx: Ctx,
    chat: StartChat,
    { history, ...made }: Pick<StartChat, 'history' | 'makesSession'>,
    signal: AbortSignal,
  ): Promise<StreamReader<string>> {
    const stream = (start: StartChat): Promise<StreamReader<string>> =>
      openTurn(this.bus, ctx, { contract: AgentStreams.chat, start, signal });
    if (!history || history.length === 0) return stream({ ...chat, ...made });
    try {
      return await stream({ ...chat, isSaidIn: true });
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'NOT_FOUND') throw error;
      return stream({ ...chat, ...made, history });
    }
  }

  private async startOf(
    ctx: Ctx,
    { agentId, sessionId }: RunLocation,
    body: RunAgentBody,
    { contents, instructions, request: start, isAgain }: NewMessages,
  ): Promise<StartChat & { turnId: string }> {
    const turnId = idOrNamed(body.runId, `${sessionId}/${body.runId}`);
    if (isAgain) await this.requireTurn(ctx, turnId);
    const { tools, context } = body;
    return {
      agentId,
      sessionId,
      turnId,
      contents,
      ...(instructions === null ? {} : { instructions }),
      // The fingerprint leaves out whether the thread was new: a repeated request is the same run.
      fingerprint: await fingerprintOfLarge({
        agentId,
        sessionId,
        messages: start,
        tools: tools ?? [],
        context: context ?? [],
      }),
      source: 'chat',
    };
  }

  /** Input that ends with an assistant message starts nothing, unless the run is repeated. */
  private async requireTurn(ctx: Ctx, turnId: string): Promise<void> {
    try {
      await this.bus.call(SessionCalls.getTurn, ctx, { turnId });
    } catch (error) {
      throw error instanceof AppError && error.code === 'NOT_FOUND' ? nothingNew() : error;
    }
  }

  private async answered(ctx: Ctx, at: RunLocation, answers: readonly CallAnswer[]): Promise<RunHandle> {
    const [{ call } = { call: null }] = answers;
    if (!call) throw new AppError('NOT_FOUND', 'No call waits for a result.');
    await this.checkLocation(ctx, at, call.turnId);
    await answerCalls(this.bus, ctx, answers);
    return this.existingRun(ctx, at.agentId, call.turnId, { segment: call.segment + 1 });
  }

  private async resumed(ctx: Ctx, at: RunLocation, { interactionId, output }: Resume): Promise<RunHandle> {
    const { agentId, sessionId } = at;
    const { items } = await this.bus.call(AgentCalls.listInteractions, ctx, { sessionId, limit: LIMIT });
    const interaction = items.find(({ id }) => id === interactionId);
    if (!interaction) throw new AppError('NOT_FOUND', 'Interrupt not found in this thread.');
    const { turnId } = interaction;
    await this.checkLocation(ctx, at, turnId);
    if (output === null) await this.bus.call(AgentCalls.cancelTurn, ctx, { agentId, turnId });
    else await answerCalls(this.bus, ctx, [{ call: { turnId, segment: 1, interactionId }, output }]);
    return this.existingRun(ctx, agentId, turnId, { interactionId });
  }

  /** Nothing is answered through another agent or another thread. */
  private async checkLocation(ctx: Ctx, { agentId, sessionId }: RunLocation, turnId: string): Promise<void> {
    const turn = await this.bus.call(SessionCalls.getTurn, ctx, { turnId });
    if (turn.agentId !== agentId || turn.sessionId !== sessionId)
      throw new AppError('NOT_FOUND', 'What is answered is not of this thread and agent.');
  }

  /** Reads an existing turn from its first frame. */
  private existingRun(ctx: Ctx, agentId: string, turnId: string, from: RunHandle['from']): RunHandle {
    const at = { agentId, turnId, after: 0 };
    return { ...at, from, open: (signal) => this.bus.stream(AgentStreams.attach, ctx, at, { signal }) };
  }
}

interface RunLocation {
  agentId: string;
  sessionId: string;
}

/** Names that are no UUIDs are their users' own. */
const sessionOf = (ctx: Ctx, threadId: string): string =>
  idOrNamed(threadId, `${requireSpace(ctx)}/${requireUser(ctx)}/${threadId}`);
