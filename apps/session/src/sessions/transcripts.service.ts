import { Injectable } from '@nestjs/common';
import {
  AgentCalls,
  type Ctx,
  DEFAULT_PAGE,
  type ForkSession,
  type GoOnAfter,
  type ListMessages,
  type MessageView,
  type NewestMessages,
  type Page,
  requireSpace,
  requireUser,
  type SessionView,
} from '@switchyard/contracts';
import { Database, type Tx, listByNumber, onceAfter } from '@switchyard/database';
import { AppError, newId, notACursor, uuidOf } from '@switchyard/kernel';
import { Bus } from '@switchyard/messaging';
import { MessagesRepository } from '../db/messages.repository';
import { type SessionRow, SessionsRepository } from '../db/sessions.repository';
import { TurnsRepository } from '../db/turns.repository';
import { checkMayWrite } from '../domain/session-access';
import { TurnReadingService } from '../turns/turn-reading.service';
import { viewOfMessage, viewOfSession } from '../access/session-view';
import { AccessibleSessions } from '../access/accessible-sessions';

const MESSAGE_LIST = listByNumber('messages', ({ seq }: { seq: number }) => seq);
const NEWEST_LIST = listByNumber('newest-messages', ({ seq }: { seq: number }) => seq);
const MAX_SEQ = 2 ** 31 - 1;

function seqAfter(query: ListMessages): number {
  const seq = MESSAGE_LIST.windowOf(query).after ?? 0;
  if (seq > MAX_SEQ) throw notACursor();
  return Math.max(seq, query.after ?? 0);
}

@Injectable()
export class TranscriptsService {
  constructor(
    private readonly database: Database,
    private readonly finder: AccessibleSessions,
    private readonly messages: MessagesRepository,
    private readonly sessions: SessionsRepository,
    private readonly turns: TurnsRepository,
    private readonly bus: Bus,
    private readonly reading: TurnReadingService,
  ) {}

  listMessages(ctx: Ctx, query: ListMessages): Promise<Page<MessageView>> {
    return this.database.transaction(ctx, async (tx) => {
      const session = await this.finder.getReadable(tx, ctx, query.sessionId);
      const after = seqAfter(query);
      const of = { sessionId: session.id, turnId: query.turnId ?? null };
      const rows = await this.messages.page(tx, requireSpace(ctx), of, after, query.limit ?? DEFAULT_PAGE);
      const last = rows.at(-1)?.seq ?? after;
      return {
        items: rows.map(viewOfMessage),
        nextCursor: last < session.lastSeq && rows.length > 0 ? MESSAGE_LIST.cursorOf({ seq: last }) : null,
      };
    });
  }

  /** Backwards, from the newest message on. */
  newestMessages(ctx: Ctx, { sessionId, cursor, limit }: NewestMessages): Promise<Page<MessageView>> {
    return this.database.transaction(ctx, async (tx) => {
      const { id } = await this.finder.getReadable(tx, ctx, sessionId);
      const before = NEWEST_LIST.windowOf({ cursor }).after ?? MAX_SEQ;
      if (before > MAX_SEQ) throw notACursor();
      const rows = await this.messages.pageBefore(tx, requireSpace(ctx), id, before, limit ?? DEFAULT_PAGE);
      const first = rows[0]?.seq ?? 1;
      return {
        items: rows.map(viewOfMessage),
        nextCursor: first > 1 ? NEWEST_LIST.cursorOf({ seq: first }) : null,
      };
    });
  }

  /** A session of the caller's own, with the transcript up to a message. */
  async fork(ctx: Ctx, data: ForkSession): Promise<SessionView> {
    const check = async (): Promise<string | null> => {
      const source = await this.database.transaction(ctx, (tx) => this.finder.get(tx, ctx, data.id));
      checkMayWrite(ctx, source.userId, 'session');
      return source.agentId === null ? null : this.agentOfFork(ctx, source.agentId);
    };
    return onceAfter(this.database, ctx, check, async (tx, agentId) => {
      const from = await this.finder.get(tx, ctx, data.id);
      const upTo = await this.lastSeqOfFork(tx, ctx, from, data.fromMessageId);
      return this.copied(tx, ctx, newId(), { from, upTo, agentId });
    });
  }

  /**
   * Where the next turn goes on after the answer of an earlier one: in the session of that, unless the session has gone
   * on since. Then in a copy that ends with that answer: one, however often the next turn is asked for.
   */
  async goOnAfter(ctx: Ctx, { turnId, nextTurnId, agentId: nextAgentId }: GoOnAfter): Promise<SessionView> {
    const turn = await this.reading.get(ctx, { turnId });
    const { sessionId } = turn;
    if (sessionId === null) throw new AppError('NOT_FOUND', 'That answer was not stored: send what was said.');
    const agentId = await this.agentOfFork(ctx, turn.agentId);
    return this.database.transaction(ctx, async (tx) => {
      const spaceId = requireSpace(ctx);
      const from = await this.finder.get(tx, ctx, sessionId);
      const last = await this.messages.lastOfTurn(tx, spaceId, sessionId, turnId);
      if (last === null || last.isLatest) return viewOfSession(from);
      // Looked for after that: a request that is sent again may have begun its turn a moment ago.
      const next = await this.turns.findOwn(tx, spaceId, requireUser(ctx), nextTurnId);
      if (next) return viewOfSession(await this.finder.get(tx, ctx, next.sessionId ?? sessionId));
      checkMayWrite(ctx, from.userId, 'session');
      // Check refusals before copying the transcript.
      if (agentId !== null && agentId !== nextAgentId)
        throw new AppError('NOT_FOUND', 'That answer is one of another agent.');
      const id = uuidOf(`${spaceId}/${requireUser(ctx)}/${turnId}/${nextTurnId}`);
      return this.copied(tx, ctx, id, { from, upTo: last.seq, agentId });
    });
  }

  private async copied(
    tx: Tx,
    ctx: Ctx,
    id: string,
    { from, upTo, agentId }: { from: SessionRow; upTo: number; agentId: string | null },
  ): Promise<SessionView> {
    const isNew = await this.sessions.insertUnlessThere(tx, requireSpace(ctx), {
      id,
      userId: requireUser(ctx),
      agentId,
      title: from.title,
      metadata: from.metadata,
    });
    if (isNew) {
      await this.messages.copy(tx, requireSpace(ctx), { sessionId: from.id, upTo }, id);
      await this.sessions.adoptTranscript(tx, requireSpace(ctx), id, { sessionId: from.id, upTo });
    }
    const copy = await this.finder.get(tx, ctx, id);
    checkMayWrite(ctx, copy.userId, 'session');
    return viewOfSession(copy);
  }

  /** A transcript outlives its agent: its fork is then open to whichever agent speaks in it first. */
  private async agentOfFork(ctx: Ctx, agentId: string): Promise<string | null> {
    try {
      await this.bus.call(AgentCalls.checkCallable, ctx, { agentId });
      return agentId;
    } catch (error) {
      if (error instanceof AppError && error.code === 'NOT_FOUND') return null;
      throw error;
    }
  }

  private async lastSeqOfFork(tx: Tx, ctx: Ctx, from: SessionRow, messageId: string | undefined): Promise<number> {
    if (messageId === undefined) return from.lastSeq;
    const seq = await this.messages.seqOf(tx, requireSpace(ctx), from.id, messageId);
    if (seq === null) throw new AppError('NOT_FOUND', 'Message not found in this session.');
    return seq;
  }
}
