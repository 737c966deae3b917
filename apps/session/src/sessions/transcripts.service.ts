import { Injectable } from '@nestjs/common';
import {
  AgentCalls,
  type Ctx,
  DEFAULT_PAGE,
  type ForkSession,
  type ListMessages,
  type MessageView,
  type Page,
  requireSpace,
  requireUser,
  type SessionView,
} from '@switchyard/contracts';
import { Database, type Tx } from '@switchyard/database';
import { AppError, encodeCursor, newId, notACursor, numberOfCursor } from '@switchyard/kernel';
import { Bus } from '@switchyard/messaging';
import { messagesRepository } from '../db/messages.repository';
import { type SessionRow, sessionsRepository } from '../db/sessions.repository';
import { checkMayWrite } from '../domain/session-access';
import { viewOfMessage, viewOfSession } from './session-view';
import { findSession, readSession } from './sessions.service';

const MESSAGE_LIST = 'messages';

function seqAfter(query: ListMessages): number {
  const seq = numberOfCursor(MESSAGE_LIST, query.cursor) ?? 0;
  if (seq > 2 ** 31 - 1) throw notACursor();
  return Math.max(seq, query.after ?? 0);
}

@Injectable()
export class TranscriptsService {
  constructor(
    private readonly database: Database,
    private readonly bus: Bus,
  ) {}

  listMessages(ctx: Ctx, query: ListMessages): Promise<Page<MessageView>> {
    return this.database.transaction(ctx, async (tx) => {
      const session = await readSession(tx, ctx, query.sessionId);
      const after = seqAfter(query);
      const rows = await messagesRepository.page(tx, requireSpace(ctx), session.id, after, query.limit ?? DEFAULT_PAGE);
      const last = rows.at(-1)?.seq ?? after;
      return {
        items: rows.map(viewOfMessage),
        nextCursor: last < session.lastSeq && rows.length > 0 ? encodeCursor(MESSAGE_LIST, [last]) : null,
      };
    });
  }

  /** A session of the caller's own, with the transcript up to a message. */
  async fork(ctx: Ctx, data: ForkSession): Promise<SessionView> {
    const source = await this.database.transaction(ctx, (tx) => findSession(tx, ctx, data.id));
    checkMayWrite(ctx, source.userId, 'session');
    const agentId = source.agentId === null ? null : await this.agentOfFork(ctx, source.agentId);
    return this.database.once(ctx, async (tx) => {
      const from = await findSession(tx, ctx, data.id);
      const upTo = await this.lastSeqOfFork(tx, ctx, from, data.fromMessageId);
      const id = newId();
      await sessionsRepository.insert(tx, requireSpace(ctx), {
        id,
        userId: requireUser(ctx),
        agentId,
        title: from.title,
        metadata: from.metadata,
      });
      await messagesRepository.copy(tx, requireSpace(ctx), { sessionId: from.id, upTo }, id);
      await sessionsRepository.adoptTranscript(tx, requireSpace(ctx), id, { sessionId: from.id, upTo });
      return viewOfSession(await findSession(tx, ctx, id));
    });
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
    const seq = await messagesRepository.seqOf(tx, requireSpace(ctx), from.id, messageId);
    if (seq === null) throw new AppError('NOT_FOUND', 'There is no such message in this session.');
    return seq;
  }
}
