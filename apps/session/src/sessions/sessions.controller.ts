import { Controller } from '@nestjs/common';
import {
  type ById,
  type CreateSession,
  type EnsureSession,
  type Ctx,
  type Deleted,
  type ForkSession,
  type GoOnAfter,
  type ListMessages,
  type ListSessions,
  type MessageView,
  type NewestMessages,
  type Page,
  SessionCalls,
  type SessionSummary,
  type SessionView,
  type UpdateSession,
} from '@switchyard/contracts';
import { Handles } from '@switchyard/messaging';
import { SessionsService } from './sessions.service';
import { TranscriptsService } from './transcripts.service';

@Controller()
export class SessionsController {
  constructor(
    private readonly sessions: SessionsService,
    private readonly transcripts: TranscriptsService,
  ) {}

  @Handles(SessionCalls.create)
  create(data: CreateSession, ctx: Ctx): Promise<SessionView> {
    return this.sessions.create(ctx, data);
  }

  @Handles(SessionCalls.ensure)
  ensure(data: EnsureSession, ctx: Ctx): Promise<SessionView> {
    return this.sessions.ensure(ctx, data);
  }

  @Handles(SessionCalls.list)
  list(data: ListSessions, ctx: Ctx): Promise<Page<SessionSummary>> {
    return this.sessions.list(ctx, data);
  }

  @Handles(SessionCalls.get)
  get(data: ById, ctx: Ctx): Promise<SessionView> {
    return this.sessions.get(ctx, data.id);
  }

  @Handles(SessionCalls.update)
  update(data: UpdateSession, ctx: Ctx): Promise<SessionView> {
    return this.sessions.update(ctx, data);
  }

  @Handles(SessionCalls.remove)
  remove(data: ById, ctx: Ctx): Promise<Deleted> {
    return this.sessions.remove(ctx, data.id);
  }

  @Handles(SessionCalls.fork)
  fork(data: ForkSession, ctx: Ctx): Promise<SessionView> {
    return this.transcripts.fork(ctx, data);
  }

  @Handles(SessionCalls.goOnAfter)
  goOnAfter(data: GoOnAfter, ctx: Ctx): Promise<SessionView> {
    return this.transcripts.goOnAfter(ctx, data);
  }

  @Handles(SessionCalls.newestMessages)
  newestMessages(data: NewestMessages, ctx: Ctx): Promise<Page<MessageView>> {
    return this.transcripts.newestMessages(ctx, data);
  }

  @Handles(SessionCalls.listMessages)
  listMessages(data: ListMessages, ctx: Ctx): Promise<Page<MessageView>> {
    return this.transcripts.listMessages(ctx, data);
  }
}
