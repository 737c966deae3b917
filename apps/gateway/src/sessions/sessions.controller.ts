import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import {
  CreateSession,
  type Ctx,
  DEFAULT_PAGE,
  Deleted,
  ListSessions,
  MessageView,
  pageOf,
  SessionCalls,
  SessionView,
} from '@switchyard/contracts';
import { Bus } from '@switchyard/messaging';
import { ok, page } from '../endpoint/answers';
import { Caller } from '../endpoint/caller.decorator';
import { Endpoint } from '../endpoint/endpoint.decorator';
import { IdPipe } from '../endpoint/id.pipe';
import { ForkRequest, MessagePageRequest, SessionChanges } from './session-requests.dto';

@Controller('api/agents/sessions')
export class SessionsController {
  constructor(private readonly bus: Bus) {}

  @Post()
  @Endpoint({
    summary: 'Create a session',
    scope: 'sessions:write',
    status: 201,
    reply: SessionView,
    idempotent: true,
    errors: ['NOT_FOUND', 'FORBIDDEN'],
  })
  async create(@Caller() ctx: Ctx, @Body() body: CreateSession) {
    return ok('Session created.', await this.bus.call(SessionCalls.create, ctx, body));
  }

  @Get()
  @Endpoint({ summary: 'List sessions', scope: 'sessions:read', reply: pageOf(SessionView), errors: ['FORBIDDEN'] })
  async list(@Caller() ctx: Ctx, @Query() query: ListSessions) {
    return page('Sessions.', await this.bus.call(SessionCalls.list, ctx, query), query.limit);
  }

  @Get(':sessionId')
  @Endpoint({ summary: 'Read a session', scope: 'sessions:read', reply: SessionView, errors: ['NOT_FOUND'] })
  async get(@Caller() ctx: Ctx, @Param('sessionId', IdPipe) id: string) {
    return ok('Session.', await this.bus.call(SessionCalls.get, ctx, { id }));
  }

  @Patch(':sessionId')
  @Endpoint({
    summary: 'Rename a session or change its metadata',
    scope: 'sessions:write',
    role: 'MEMBER',
    reply: SessionView,
    errors: ['NOT_FOUND', 'FORBIDDEN'],
  })
  async update(@Caller() ctx: Ctx, @Param('sessionId', IdPipe) id: string, @Body() body: SessionChanges) {
    const { title, metadata } = body;
    return ok('Session updated.', await this.bus.call(SessionCalls.update, ctx, { id, title, metadata }));
  }

  @Delete(':sessionId')
  @Endpoint({
    summary: 'Delete a session; an active turn is cancelled',
    scope: 'sessions:write',
    role: 'MEMBER',
    reply: Deleted,
    errors: ['NOT_FOUND', 'FORBIDDEN'],
  })
  async remove(@Caller() ctx: Ctx, @Param('sessionId', IdPipe) id: string) {
    return ok('Session deleted.', await this.bus.call(SessionCalls.remove, ctx, { id }));
  }

  @Get(':sessionId/messages')
  @Endpoint({
    summary: 'List the messages and events of a session, oldest first',
    scope: 'sessions:read',
    reply: pageOf(MessageView),
    errors: ['NOT_FOUND'],
  })
  async messages(
    @Caller() ctx: Ctx,
    @Param('sessionId', IdPipe) sessionId: string,
    @Query() query: MessagePageRequest,
  ) {
    const { after, limit, cursor } = query;
    const rows = await this.bus.call(SessionCalls.listMessages, ctx, { sessionId, after, limit, cursor });
    return page('Messages.', rows, limit ?? DEFAULT_PAGE);
  }

  @Post(':sessionId/fork')
  @Endpoint({
    summary: 'Fork a session: a new one that shares the transcript up to a message',
    scope: 'sessions:write',
    role: 'MEMBER',
    status: 201,
    reply: SessionView,
    idempotent: true,
    errors: ['NOT_FOUND', 'FORBIDDEN'],
  })
  async fork(@Caller() ctx: Ctx, @Param('sessionId', IdPipe) id: string, @Body() body: ForkRequest) {
    return ok(
      'Session forked.',
      await this.bus.call(SessionCalls.fork, ctx, { id, fromMessageId: body.fromMessageId }),
    );
  }
}
