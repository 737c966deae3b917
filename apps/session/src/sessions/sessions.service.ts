import { Injectable } from '@nestjs/common';
import {
  AgentCalls,
  type CreateSession,
  type Ctx,
  type Deleted,
  type EnsureSession,
  type ListSessions,
  type Page,
  requireReplaced,
  requireSpace,
  requireUser,
  type SessionSummary,
  type SessionView,
  type UpdateSession,
} from '@switchyard/contracts';
import { Database, listByTime, onceAfter } from '@switchyard/database';
import { AppError, newId } from '@switchyard/kernel';
import { Bus } from '@switchyard/messaging';
import { type ListedSession, SessionsRepository } from '../db/sessions.repository';
import { TurnsRepository } from '../db/turns.repository';
import { checkMayWrite, readsEverything } from '../domain/session-access';
import { TurnSignals } from '../turns/turn-signals';
import { TurnCancellation } from '../turns/turn-cancellation';
import { AccessibleSessions } from '../access/accessible-sessions';
import { summaryOfSession, viewOfSession } from '../access/session-view';

const LIST = listByTime('sessions', ({ listedAt, id }: ListedSession) => ({ at: listedAt, id }));

@Injectable()
export class SessionsService {
  constructor(
    private readonly database: Database,
    private readonly finder: AccessibleSessions,
    private readonly sessions: SessionsRepository,
    private readonly turns: TurnsRepository,
    private readonly bus: Bus,
    private readonly stopping: TurnCancellation,
    private readonly signals: TurnSignals,
  ) {}

  async create(ctx: Ctx, data: CreateSession): Promise<SessionView> {
    const { agentId } = data;
    const check = async (): Promise<void> => {
      if (agentId !== undefined) await this.bus.call(AgentCalls.checkCallable, ctx, { agentId });
    };
    return onceAfter(this.database, ctx, check, async (tx) => {
      const id = newId();
      await this.sessions.insert(tx, requireSpace(ctx), {
        id,
        userId: requireUser(ctx),
        agentId: data.agentId ?? null,
        title: data.title ?? null,
        metadata: data.metadata ?? {},
      });
      return viewOfSession(await this.finder.get(tx, ctx, id));
    });
  }

  /** The caller's own session of this id, made where there is none. */
  async ensure(ctx: Ctx, { id, agentId, metadata, isNamed = false }: EnsureSession): Promise<SessionView> {
    if (agentId !== undefined) await this.bus.call(AgentCalls.checkCallable, ctx, { agentId });
    const userId = requireUser(ctx);
    const session = { id, userId, agentId: agentId ?? null, title: null, metadata: metadata ?? {} };
    return this.database.transaction(ctx, async (tx) =>
      viewOfSession((await this.finder.getOwn(tx, ctx, session, isNamed)).session),
    );
  }

  async list(ctx: Ctx, query: ListSessions): Promise<Page<SessionSummary>> {
    if (query.allUsers && !readsEverything(ctx)) {
      throw new AppError('FORBIDDEN', 'Only ADMIN and up may list the sessions of others; leave out allUsers.');
    }
    const window = LIST.windowOf(query);
    const filter = { userId: query.allUsers ? null : requireUser(ctx), agentId: query.agentId ?? null, ...window };
    const spaceId = requireSpace(ctx);
    // An empty box finds everything, as it does among agents.
    const titlePart = query.q || null;
    const rows = await (titlePart === null
      ? this.database.transaction(ctx, (tx) => this.sessions.list(tx, spaceId, filter))
      : this.database.system(
          'find titles by an index that row-level security prevents',
          (tx) => this.sessions.listByTitle(tx, spaceId, titlePart, filter),
          this.database.payerOf(spaceId),
        ));
    return LIST.pageOf(rows, window, summaryOfSession);
  }

  get(ctx: Ctx, id: string): Promise<SessionView> {
    return this.database.transaction(ctx, async (tx) => viewOfSession(await this.finder.getReadable(tx, ctx, id)));
  }

  update(ctx: Ctx, data: UpdateSession): Promise<SessionView> {
    return this.database.transaction(ctx, async (tx) => {
      const session = await this.finder.get(tx, ctx, data.id);
      checkMayWrite(ctx, session.userId, 'session');
      requireReplaced(session.oversized, { metadata: data.metadata });
      await this.sessions.change(tx, requireSpace(ctx), data.id, { title: data.title, metadata: data.metadata });
      return viewOfSession(await this.finder.get(tx, ctx, data.id));
    });
  }

  remove(ctx: Ctx, id: string): Promise<Deleted> {
    const spaceId = requireSpace(ctx);
    return this.database.transaction(ctx, async (tx) => {
      const session = await this.finder.get(tx, ctx, id);
      checkMayWrite(ctx, session.userId, 'session');
      // A turn before its session: closing a turn locks in this order too.
      const active = await this.turns.findActiveLocked(tx, spaceId, id);
      await this.sessions.markDeleted(tx, spaceId, id);
      const turn = active ?? (await this.turns.findActive(tx, spaceId, id));
      if (turn) {
        await this.stopping.stop(tx, ctx, turn);
        // Clients waiting for the turn can no longer read its end.
        tx.afterCommit(() => {
          this.signals.tell(ctx, turn);
        });
      }
      return { id, deleted: true };
    });
  }
}
