import { Injectable } from '@nestjs/common';
import { type Ctx, requireSpace } from '@switchyard/contracts';
import type { Tx } from '@switchyard/database';
import { AppError } from '@switchyard/kernel';
import { type NewSession, type SessionRow, SessionsRepository } from '../db/sessions.repository';
import { checkMayRead } from '../domain/session-access';

const absent = (): AppError => new AppError('NOT_FOUND', 'Session not found.');

/** UUIDs of version 8 are made of texts. */
const isOfName = (id: string): boolean => id[14] === '8';

@Injectable()
export class AccessibleSessions {
  constructor(private readonly sessions: SessionsRepository) {}

  async get(tx: Tx, ctx: Ctx, id: string): Promise<SessionRow> {
    const session = await this.sessions.find(tx, requireSpace(ctx), id);
    if (!session) throw absent();
    return session;
  }

  /** One that the caller may read. */
  async getReadable(tx: Tx, ctx: Ctx, id: string): Promise<SessionRow> {
    const session = await this.get(tx, ctx, id);
    checkMayRead(ctx, session.userId, 'session');
    return session;
  }

  /**
   * The caller's own session of an id, created if missing. An id of another user's or a deleted session is refused. Ids
   * derived from names include the caller, so another user cannot take one.
   */
  async getOwn(tx: Tx, ctx: Ctx, own: NewSession, isNamed: boolean): Promise<{ session: SessionRow; isNew: boolean }> {
    const mayMake = isNamed || !isOfName(own.id);
    const isNew = mayMake && (await this.sessions.insertUnlessThere(tx, requireSpace(ctx), own));
    const session = await this.get(tx, ctx, own.id);
    if (session.userId !== own.userId) throw absent();
    return { session, isNew };
  }
}
