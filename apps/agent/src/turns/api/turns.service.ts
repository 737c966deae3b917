import { Injectable } from '@nestjs/common';
import { AppError, failpoint, invalid, sleep } from '@switchyard/kernel';
import {
  type AnsweredInteraction,
  type AnswerInteraction,
  type AttachTurn,
  type CancelOutcome,
  type CancelTurn,
  type Ctx,
  requireNotFailed,
  type ResumeTurn,
  roleAtLeast,
  SessionCalls,
  type StartChat,
  type StartExecute,
  type SubmitToolResult,
  type ToolResultOutcome,
  TURN_WAIT_MS,
  type TurnById,
  type TurnResult,
} from '@switchyard/contracts';
import { Bus } from '@switchyard/messaging';
import { AgentsService } from '../../agents/agents.service';
import { mayCall, requireCallable } from '../../domain/access';
import type { AgentRecord } from '../../domain/stored-agent';
import { ActiveTurns } from '../run/active-turns';
import { ResumeCheck } from './resume-check';
import { Takeover } from '../recovery/takeover';
import { TurnClaimer } from '../recovery/turn-claimer';
import { TurnSlots } from '../limits/turn-slots';
import { TurnReader } from './turn-reader';
import { type StartedTurn, TurnStarter } from './turn-starter';

/** Entry point for turn operations. Reading a turn is independent of running it. */
@Injectable()
export class TurnsService {
  constructor(
    private readonly starter: TurnStarter,
    private readonly reader: TurnReader,
    private readonly agents: AgentsService,
    private readonly takeover: Takeover,
    private readonly activeTurns: ActiveTurns,
    private readonly claimer: TurnClaimer,
    private readonly slots: TurnSlots,
    private readonly resumes: ResumeCheck,
    private readonly bus: Bus,
  ) {}

  async chatStream(ctx: Ctx, chat: StartChat): Promise<AsyncIterable<string>> {
    return this.framesOf(ctx, await this.starter.chat(ctx, chat));
  }

  async executeStream(ctx: Ctx, execute: StartExecute): Promise<AsyncIterable<string>> {
    return this.framesOf(ctx, await this.starter.execute(ctx, execute));
  }

  async chat(ctx: Ctx, chat: StartChat): Promise<TurnResult> {
    return this.resultOf(ctx, await this.starter.chat(ctx, chat), chat.waitMs);
  }

  async execute(ctx: Ctx, execute: StartExecute): Promise<TurnResult> {
    return this.resultOf(ctx, await this.starter.execute(ctx, execute), execute.waitMs);
  }

  async turnResult(ctx: Ctx, { agentId, turnId }: TurnById): Promise<TurnResult> {
    const turn = await this.bus.call(SessionCalls.getTurn, ctx, { agentId, turnId });
    if (turn.isUnstored) throw noTurn();
    return this.reader.result(ctx, turn, 0);
  }

  async attach(
    ctx: Ctx,
    { agentId, turnId, sessionId, after, isOwnStream }: AttachTurn,
  ): Promise<AsyncIterable<string>> {
    await this.requireReadable(ctx, agentId);
    const of = sessionId === undefined ? { agentId, turnId } : { agentId, turnId, sessionId };
    const turn = await this.bus.call(SessionCalls.getTurn, ctx, of);
    if (turn.isUnstored && isOwnStream !== true) throw noTurn();
    const frames = this.reader.frames(ctx, turn, after ?? 0, ctx.signal);
    // Only of a turn that runs is there something to wait for; of others the first frame comes, or a refusal.
    return turn.status === 'RUNNING' ? openedSoon(frames) : frames;
  }

  /** One of equal answers goes on with the turn; the others are told what counted. */
  async resume(ctx: Ctx, resume: ResumeTurn): Promise<AsyncIterable<string>> {
    const agent = await this.answerable(ctx, resume);
    const { agentId, turnId, sessionId, interactionId, selectedOptionIds, otherText } = resume;
    const answer = {
      agentId,
      turnId,
      sessionId,
      interactionId,
      selectedOptionIds,
      otherText,
      owner: this.activeTurns.owner,
    };
    const counted = await this.checkBudget(ctx, agent, answer);
    if (counted) return alreadyAnswered(turnId, counted);
    const slot = await this.slots.take(ctx);
    try {
      const waiting = slot.mayBegin();
      if (waiting) await waiting;
      const answered = await this.bus.call(SessionCalls.answerInteraction, ctx, answer);
      if (answered.outcome === 'resumed' && answered.claim) {
        await failpoint('agent.answer-taken');
        const runner = await this.takeover.resume(answered.claim, answered.interaction, slot);
        if (!mayRead(ctx, answered.turn)) return alreadyAnswered(turnId, answered, false);
        return runner.feed.read(runner.feed.base, ctx.signal);
      }
      slot.leave();
      return alreadyAnswered(turnId, answered);
    } catch (error) {
      slot.leave();
      throw error;
    }
  }

  /** An ADMIN may approve what an agent does for others, also one that the ADMIN may not call. */
  private async answerable(ctx: Ctx, { agentId, turnId }: ResumeTurn): Promise<AgentRecord> {
    const agent = await this.agents.load(ctx, agentId);
    if (!roleAtLeast(ctx.role, 'ADMIN')) requireCallable(ctx, agent);
    else if (!mayCall(ctx, agent)) {
      const turn = await this.bus.call(SessionCalls.getTurn, ctx, { agentId, turnId });
      if (turn.userId === ctx.userId) requireCallable(ctx, agent);
    }
    await this.agents.requireKeyAllows(ctx, agent);
    return agent;
  }

  /**
   * Throws where the turn could not go on with the answer, which then stays open. Gives what counted before, if
   * anything.
   */
  private async checkBudget(
    ctx: Ctx,
    agent: AgentRecord,
    answer: AnswerInteraction,
  ): Promise<AnsweredInteraction | null> {
    const tried = await this.bus.call(SessionCalls.tryAnswer, ctx, answer);
    if (!tried.claim) return tried;
    try {
      await this.resumes.check(ctx, agent, tried.claim, tried.interaction);
      return null;
    } catch (refusal) {
      // An equal answer may have counted meanwhile.
      const now = await this.bus.call(SessionCalls.tryAnswer, ctx, answer);
      if (now.claim) throw refusal;
      return now;
    }
  }

  /**
   * A caller who names the agent must be allowed to call it, as everywhere; of a deleted one turns can still be
   * stopped. The platform's own stops (a job, a task, a caller who has left) name the turn alone.
   */
  async cancel(ctx: Ctx, { agentId, turnId, sessionId }: CancelTurn): Promise<CancelOutcome> {
    if (agentId !== undefined) await this.requireReadable(ctx, agentId);
    const { cancelling, turn } = await this.bus.call(SessionCalls.requestCancel, ctx, {
      turnId,
      ...(agentId === undefined ? {} : { agentId }),
      ...(sessionId === undefined ? {} : { sessionId }),
    });
    if (cancelling) {
      this.activeTurns.cancel(turn.key);
      this.claimer.look();
    }
    return { turn_id: turnId, status: cancelling ? 'CANCELLING' : turn.status };
  }

  async submitToolResult(ctx: Ctx, data: SubmitToolResult): Promise<ToolResultOutcome> {
    if ((data.result === undefined) === (data.error === undefined))
      throw invalid('result', 'must be given, or error in its place: one of the two, and null for a result of nothing');
    await this.agents.startable(ctx, data.agentId);
    const turn = await this.bus.call(SessionCalls.getTurn, ctx, { agentId: data.agentId, turnId: data.turnId });
    await this.bus.call(SessionCalls.submitToolResult, ctx, {
      agentId: data.agentId,
      turnId: data.turnId,
      sessionId: data.sessionId ?? turn.sessionId ?? undefined,
      callId: data.callId,
      ...(data.result === undefined ? {} : { result: data.result }),
      ...(data.error === undefined ? {} : { error: data.error }),
    });
    return { turn_id: data.turnId, call_id: data.callId };
  }

  /** A turn goes on to its end although its agent was deleted meanwhile: its user may follow it. */
  private async requireReadable(ctx: Ctx, agentId: string): Promise<void> {
    const agent = await this.agents.find(ctx, agentId);
    if (agent) requireCallable(ctx, agent);
  }

  private framesOf(ctx: Ctx, { turn, runner }: StartedTurn): AsyncIterable<string> {
    return runner ? runner.feed.read(0, ctx.signal) : this.reader.frames(ctx, turn, 0, ctx.signal);
  }

  private async resultOf(ctx: Ctx, { turn }: StartedTurn, waitMs = TURN_WAIT_MS): Promise<TurnResult> {
    const result = await this.reader.result(ctx, turn, waitMs);
    // As an error it would look like the bus error for a missing reply.
    return result.error?.code === 'TIMEOUT' ? result : requireNotFailed(result);
  }
}

const noTurn = (): AppError => new AppError('NOT_FOUND', 'Turn not found.');

/** An approver of another user's turn need not have permission to read it. */
const mayRead = (ctx: Ctx, { userId }: { userId: string }): boolean =>
  userId === ctx.userId || roleAtLeast(ctx.role, 'ADMIN');

/** The recorded decision instead of a stream: for a late answer, or from a caller who may not read the turn. */
function alreadyAnswered(
  turnId: string,
  { turn, interaction }: AnsweredInteraction,
  idempotent = true,
): AsyncIterable<string> {
  const data = { idempotent, turn_id: turnId, status: turn.status, interaction };
  return one(JSON.stringify({ data, seq: 0 }));
}

// oxlint-disable-next-line typescript/require-await -- a stream of one frame
async function* one(frame: string): AsyncGenerator<string, void, undefined> {
  yield frame;
}

/** How long a reader that has everything already waits to hear that its stream stands. */
const OPEN_WITHIN_MS = 1000;

/**
 * A stream opens with its first frame, and a quiet turn may have none for minutes: then an empty text opens it.
 * An immediate refusal is still sent as an error.
 */
async function* openedSoon(frames: AsyncGenerator<string, void, undefined>): AsyncGenerator<string, void, undefined> {
  const first = frames.next();
  first.catch(() => undefined);
  try {
    const isQuiet = await Promise.race([first.then(() => false), sleep(OPEN_WITHIN_MS).then(() => true)]);
    if (isQuiet) yield '';
    const opened = await first;
    if (opened.done) return;
    yield opened.value;
    yield* frames;
  } finally {
    // A client that has disconnected gets no error.
    frames.return().catch(() => undefined);
  }
}
