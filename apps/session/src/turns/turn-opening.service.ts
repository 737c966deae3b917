import { Injectable } from '@nestjs/common';
import {
  type Ctx,
  type NewMessage,
  type OpenedTurn,
  type OpenOutcome,
  type OpenTurn,
  requireSpace,
  requireUser,
  type TurnRecord,
} from '@switchyard/contracts';
import { Database, type Tx } from '@switchyard/database';
import { AppError, invalid, newId } from '@switchyard/kernel';
import { ModelContextLoader, modelContext, type StoredContext, storedTokens } from '../context/load-model-context';
import { InteractionsRepository } from '../db/interactions.repository';
import { MessagesRepository } from '../db/messages.repository';
import { type SessionRow, SessionsRepository } from '../db/sessions.repository';
import { TurnFastPathRepository } from '../db/turn-fast-path.repository';
import { type NewTurn, type TurnRow, TurnsRepository } from '../db/turns.repository';
import { checkAgentOf } from '../domain/session-access';
import { titleFrom } from '../domain/session-title';
import { checkOpening, reopen, turnAlreadyActive } from '../domain/turn-opening';
import { SessionConfig } from '../session.config';
import { identityOf, recordOf } from './turn-views';
import { AccessibleSessions } from '../access/accessible-sessions';

/** The place was taken and free again between two looks: rare, and over at the next look. */
const ATTEMPTS = 5;

const noSession = (): AppError => new AppError('NOT_FOUND', 'Session not found.');

type Opening = {
  outcome: Exclude<OpenOutcome, 'over-limit'>;
  turn: TurnRecord;
  sessionCreated: boolean;
  stored: StoredContext<Pick<SessionRow, 'id' | 'summary' | 'summaryTokens'>> | null;
};

/** Rolls the opening back: it was made in full, so every other refusal of it comes first. */
class OverLimit extends Error {
  constructor(
    readonly stored: StoredContext,
    /** Of the entries, the last ones that were rolled back. */
    readonly unstored: number,
  ) {
    super('The context of the turn has more tokens than its limit.');
  }
}

@Injectable()
export class TurnOpeningService {
  constructor(
    private readonly database: Database,
    private readonly finder: AccessibleSessions,
    private readonly interactions: InteractionsRepository,
    private readonly messages: MessagesRepository,
    private readonly sessions: SessionsRepository,
    private readonly fastPath: TurnFastPathRepository,
    private readonly turns: TurnsRepository,
    private readonly contexts: ModelContextLoader,
    private readonly config: SessionConfig,
  ) {}

  async open(ctx: Ctx, data: OpenTurn): Promise<OpenedTurn> {
    checkOpening(data);
    const turnId = data.turnId ?? newId();
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const opening =
        (attempt === 0 ? await this.openAtOnce(ctx, data, turnId) : null) ??
        (await this.openStepwise(ctx, data, turnId));
      if (!opening) continue;
      if (opening instanceof OverLimit) return this.overLimit(ctx, data, opening);
      const { outcome, turn, sessionCreated, stored } = opening;
      const context = stored && (await this.contexts.exactWhereItMatters(ctx, stored, data));
      return { outcome, turn, sessionCreated, context, leaseSeconds: this.config.SESSION_TURN_LEASE_SECONDS };
    }
    throw new AppError('SERVICE_UNAVAILABLE', 'This session is busy. Try again.', { retryAfterSeconds: 1 });
  }

  private async openStepwise(ctx: Ctx, data: OpenTurn, turnId: string): Promise<Opening | OverLimit | null> {
    try {
      return await this.database.transaction(ctx, (tx) => this.tryOpen(tx, ctx, data, turnId));
    } catch (error) {
      if (error instanceof OverLimit) return error;
      throw error;
    }
  }

  /** The messages of the turn itself are not stored, so they are estimated here as when it is opened again. */
  private async overLimit(ctx: Ctx, data: OpenTurn, { stored, unstored }: OverLimit): Promise<OpenedTurn> {
    const { session, entries } = stored;
    const past = { session, entries: entries.slice(0, entries.length - unstored) };
    const counted = await this.contexts.countedWhereItMatters(ctx, past, data);
    const whole = { session, entries: [...counted.entries, ...entries.slice(past.entries.length)] };
    return {
      outcome: 'over-limit',
      turn: null,
      sessionCreated: false,
      context: modelContext(whole),
      contextTokens: storedTokens(whole),
      leaseSeconds: this.config.SESSION_TURN_LEASE_SECONDS,
    };
  }

  /** As most turns open: nothing stands in the way. Null where something does; `tryOpen` says what. */
  private async openAtOnce(ctx: Ctx, data: OpenTurn, turnId: string): Promise<Opening | null> {
    const { message, before = [] } = data;
    const turn = newTurn(ctx, data, turnId);
    const { sessionId } = turn;
    if (sessionId === null || !message || before.length > 0) return null;
    const first = {
      message,
      title: titleFrom(message.content),
      leaseSeconds: this.config.SESSION_TURN_LEASE_SECONDS,
      contextTokenLimit: data.contextTokenLimit ?? null,
    };
    if (data.sessionId === undefined) {
      const opened = await this.fastPath.openWithSession(ctx, { ...turn, sessionId }, first);
      if (!opened) return null;
      const stored = { session: { id: sessionId, summary: null, summaryTokens: 0 }, entries: opened.entries };
      return { outcome: 'opened', turn: recordOf(opened.turn), sessionCreated: true, stored };
    }
    const isSaidIn = data.isSaidIn ?? false;
    const opened = await this.fastPath.openInSession(ctx, { ...turn, sessionId }, { ...first, isSaidIn });
    if (!opened) return null;
    const { session, entries } = opened;
    const stored = { session: { id: sessionId, ...session }, entries };
    return { outcome: 'opened', turn: recordOf(opened.turn), sessionCreated: false, stored };
  }

  private async tryOpen(tx: Tx, ctx: Ctx, data: OpenTurn, turnId: string): Promise<Opening | null> {
    const spaceId = requireSpace(ctx);
    const isNew = data.sessionId !== undefined && (await this.checkSession(tx, ctx, data, data.sessionId));
    const turn = await this.turns.insertUnlessTaken(
      tx,
      spaceId,
      newTurn(ctx, data, turnId),
      this.config.SESSION_TURN_LEASE_SECONDS,
    );
    if (!turn) return this.takenBy(tx, ctx, data, turnId);
    const { sessionId } = turn;
    const isOwn = sessionId !== null && data.sessionId === undefined;
    const stored =
      sessionId === null ? null : await this.begin(tx, spaceId, { turn, sessionId, sessionCreated: isOwn, data });
    if (stored && data.contextTokenLimit !== undefined && storedTokens(stored) > data.contextTokenLimit)
      throw new OverLimit(stored, 1 + (data.before?.length ?? 0));
    const sessionCreated = isOwn || isNew;
    return { outcome: 'opened', turn: recordOf(turn), sessionCreated, stored };
  }

  /** Whether it was made just now. */
  private async checkSession(
    tx: Tx,
    ctx: Ctx,
    { agentId, makesSession, isSaidIn }: OpenTurn,
    id: string,
  ): Promise<boolean> {
    if (makesSession) {
      const own = { id, userId: requireUser(ctx), agentId, title: null, metadata: {} };
      const { session, isNew } = await this.finder.getOwn(tx, ctx, own, makesSession === 'named');
      checkAgentOf(session, agentId);
      return isNew;
    }
    const session = await this.sessions.find(tx, requireSpace(ctx), id);
    // A session can only be written by its user, also against higher roles.
    if (!session || session.userId !== ctx.userId || (isSaidIn && session.lastSeq === 0)) throw noSession();
    checkAgentOf(session, agentId);
    return false;
  }

  /** The insert conflicted: a repeat of this request, or another active turn. */
  private async takenBy(tx: Tx, ctx: Ctx, data: OpenTurn, turnId: string): Promise<Opening | null> {
    const twin = await this.turns.findOwn(tx, requireSpace(ctx), requireUser(ctx), turnId);
    if (twin) return this.reopened(tx, twin, data);
    if (await this.turns.isNameTaken(tx, requireSpace(ctx), requireUser(ctx), turnId)) {
      throw new AppError('NOT_FOUND', 'The session of this turn was deleted. Use a new turnId.');
    }
    const active =
      data.sessionId === undefined ? null : await this.turns.findActive(tx, requireSpace(ctx), data.sessionId);
    if (active) throw turnAlreadyActive(active.turnId);
    return null;
  }

  private async reopened(tx: Tx, turn: TurnRow, data: OpenTurn): Promise<Opening> {
    const outcome = reopen(turn, data);
    const interaction =
      turn.status === 'WAITING_INPUT' ? await this.interactions.findPending(tx, turn.spaceId, turn.id) : null;
    return { outcome, turn: recordOf(turn, interaction), sessionCreated: false, stored: null };
  }

  /** Puts what the user said at the end of the session, and gives what the model is to be told. */
  private async begin(
    tx: Tx,
    spaceId: string,
    {
      turn,
      sessionId,
      sessionCreated,
      data,
    }: { turn: TurnRow; sessionId: string; sessionCreated: boolean; data: OpenTurn },
  ): Promise<StoredContext> {
    const { agentId, message, before = [] } = data;
    if (!message) throw invalid('message', 'is required');
    if (!sessionCreated && (await this.isKnown(tx, spaceId, sessionId, message)))
      throw invalid('messageId', 'names a message of the session: send only what is new');
    const title = titleFrom(message.content);
    const created = sessionCreated
      ? await this.sessions.insert(
          tx,
          spaceId,
          { id: sessionId, userId: turn.userId, agentId, title: null, metadata: {} },
          { title },
        )
      : null;
    // A session that was just made has room for what is said now already.
    const more = before.length + (created ? 0 : 1);
    const session =
      created && more === 0
        ? created
        : await this.sessions.grow(tx, spaceId, sessionId, { messages: more, spoken: more, title, agentId });
    if (!session) throw noSession();
    // Earlier messages belong to no turn here.
    const past = { sessionId, turnId: null, lastSeq: session.lastSeq - 1 - before.length };
    if (before.length > 0) await this.messages.append(tx, spaceId, past, before);
    const at = { sessionId, turnId: turn.turnId, lastSeq: session.lastSeq - 1 };
    await this.messages.append(tx, spaceId, at, [message]);
    return { session, entries: await this.messages.contextEntries(tx, spaceId, sessionId, session.summarySeq) };
  }

  /**
   * Whether a message with the name of this one stands in the transcript: forks and clients find messages by their ids.
   */
  private async isKnown(tx: Tx, spaceId: string, sessionId: string, { id }: NewMessage): Promise<boolean> {
    return id !== undefined && (await this.messages.seqOf(tx, spaceId, sessionId, id)) !== null;
  }
}

const newTurn = (ctx: Ctx, data: OpenTurn, turnId: string): NewTurn => ({
  key: newId(),
  turnId,
  userId: requireUser(ctx),
  agentId: data.agentId,
  agentName: data.agentName ?? null,
  sessionId: data.stateless ? null : (data.sessionId ?? newId()),
  fingerprint: data.fingerprint,
  model: data.model,
  contextWindow: data.contextWindow,
  identity: identityOf(ctx),
  input: data.input,
  owner: data.owner,
});
