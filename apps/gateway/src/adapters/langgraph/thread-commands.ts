import { Injectable } from '@nestjs/common';
import {
  AgentCalls,
  type Ctx,
  type InboxInteraction,
  type MessageView,
  requireApprovalScope,
  requireSpace,
  requireUser,
  SessionCalls,
  type StartChat,
} from '@switchyard/contracts';
import { AppError, fingerprintOfLarge, invalid, isId, type JsonObject, newId } from '@switchyard/kernel';
import { Bus } from '@switchyard/messaging';
import { answerCalls } from '../../turn-events/submit-client-answers';
import { ownOf } from '../../turn-events/turn-settings-from-request';
import { type CallAnswer, readInput } from '../../turn-events/read-client-input';
import { inWordsOf } from '../../turn-events/read-json-fields';
import { readCallName } from '../../turn-events/client-call-ids';
import { namedId } from '../../routes/turns/deterministic-id';
import type { ThreadCommand } from './langgraph.dto';
import { type InterruptResponse, decisionOf, readAnswers, readRunStart, resultOf } from './read-command';
import { ThreadChanges } from './thread-change-signals';
import { ThreadMessages } from './thread-messages';

const LIMIT = 100;

const noInterrupt = (): AppError => new AppError('NOT_FOUND', 'Interrupt not found in this thread.');

/** Commands of LangGraph clients to a thread. Runs are ordinary turns; nothing executes here. */
@Injectable()
export class ThreadCommands {
  constructor(
    private readonly bus: Bus,
    private readonly changes: ThreadChanges,
    private readonly threadMessages: ThreadMessages,
  ) {}

  /** Gives the result of the command. */
  async run(ctx: Ctx, sessionId: string, { method, params = {} }: ThreadCommand): Promise<JsonObject> {
    switch (method) {
      case 'run.start':
        return { run_id: await this.start(ctx, sessionId, params) };
      case 'run.cancel':
        await this.cancel(ctx, sessionId, params['run_id']);
        return {};
      case 'input.respond':
        await this.respond(ctx, sessionId, readAnswers(params));
        return {};
      default:
        throw invalid('method', 'is not supported: it must be run.start, run.cancel or input.respond');
    }
  }

  /** The active turn of the thread, if no run is given. */
  async cancel(ctx: Ctx, sessionId: string, runId: unknown): Promise<void> {
    if (runId !== undefined && !isId(runId)) throw invalid('params.run_id', 'must be the id of a run');
    const { items } = await this.bus.call(SessionCalls.listTurns, ctx, { sessionId, limit: runId ? LIMIT : 1 });
    const turn = items.find(({ id }) => runId === undefined || id === runId.toLowerCase());
    if (!turn) throw new AppError('NOT_FOUND', 'Run not found in this thread.');
    await this.bus.call(AgentCalls.cancelTurn, ctx, { agentId: turn.agentId, turnId: turn.id, sessionId });
    this.changes.announce(ctx, sessionId);
  }

  private async start(ctx: Ctx, sessionId: string, params: JsonObject): Promise<string> {
    const { agentId, items, ids, tools, request } = readRunStart(params);
    const input = readInput(items, 'params.input.messages', false);
    if (input.kind === 'answers' || input.contents === null)
      throw invalid('params.input.messages', 'must end with what the user says');
    // Of the newest the session knows whether it is sent again or names another message.
    const earlier = ids.slice(0, -1);
    if (earlier.length > 0) await this.refuseExisting(ctx, sessionId, earlier);
    const newest = ids.at(-1) ?? null;
    const start: StartChat & { turnId: string } = {
      agentId,
      sessionId,
      makesSession: 'own',
      // A message that is sent again is the same one: it never runs twice.
      turnId: newest === null ? newId() : namedId(`${scopeOf(ctx)}/${sessionId}/${newest}`),
      // A client that shows its own copy of the message finds it again among those of the thread.
      ...(isId(newest) ? { messageId: newest } : {}),
      contents: input.contents,
      ...(input.history.length > 0 ? { history: input.history } : {}),
      ...(input.instructions === null ? {} : { instructions: input.instructions }),
      ...ownOf(tools, null),
      fingerprint: await fingerprintOfLarge({ sessionId, asked: request }),
      source: 'chat',
    };
    const names = { messageId: `(params.input.messages[${earlier.length}].id)` };
    await inWordsOf(names, () => this.bus.call(AgentCalls.chat, ctx, { ...start, waitMs: 0 }));
    this.changes.announce(ctx, sessionId);
    return start.turnId;
  }

  /**
   * To LangGraph a message with a name that the thread knows is another version of it. Transcripts are not rewritten.
   */
  private async refuseExisting(ctx: Ctx, sessionId: string, ids: readonly (string | null)[]): Promise<void> {
    const existing = new Set((await this.existing(ctx, sessionId)).map(({ id }) => id));
    const at = ids.findIndex((id) => id !== null && existing.has(id));
    if (at !== -1)
      throw invalid(`params.input.messages[${at}].id`, 'names a message of the thread: send only what is new');
  }

  /** Of a thread that no run has made yet, nothing. */
  private async existing(ctx: Ctx, sessionId: string): Promise<MessageView[]> {
    try {
      return await this.threadMessages.newest(ctx, sessionId);
    } catch (error) {
      if (error instanceof AppError && error.code === 'NOT_FOUND') return [];
      throw error;
    }
  }

  private async respond(ctx: Ctx, sessionId: string, answers: readonly InterruptResponse[]): Promise<void> {
    const asksPerson = answers.some(({ interruptId }) => isId(interruptId));
    const { items } = asksPerson
      ? await this.bus.call(AgentCalls.listInteractions, ctx, { sessionId, limit: LIMIT })
      : { items: [] };
    const calls = answers.map((answer) => answerOf(ctx, answer, items));
    await answerCalls(this.bus, ctx, calls, (turn) =>
      // Nothing is answered through another thread.
      turn.sessionId === sessionId ? Promise.resolve() : Promise.reject(noInterrupt()),
    );
    this.changes.announce(ctx, sessionId);
  }
}

function answerOf(
  ctx: Ctx,
  { interruptId, response, path }: InterruptResponse,
  interactions: readonly InboxInteraction[],
): CallAnswer {
  const call = readCallName(interruptId);
  if (call && 'callId' in call) return { call, output: resultOf(response, call.callId) };
  const interaction = interactions.find(({ id }) => id === interruptId.toLowerCase());
  if (!interaction) throw noInterrupt();
  if (interaction.purpose === 'approval') requireApprovalScope(ctx);
  const { turnId, id: interactionId } = interaction;
  return { call: { turnId, segment: 1, interactionId }, output: decisionOf(response, path) };
}

const scopeOf = (ctx: Ctx): string => `${requireSpace(ctx)}/${requireUser(ctx)}`;
