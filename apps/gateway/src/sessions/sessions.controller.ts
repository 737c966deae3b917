import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { CreateSession, type Ctx, DEFAULT_PAGE, ListSessions, SessionCalls } from '@switchyard/contracts';
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
  @Endpoint({ summary: 'Create a session', calls: SessionCalls.create, status: 201 })
  async create(@Caller() ctx: Ctx, @Body() body: CreateSession) {
    return ok('Session created.', await this.bus.call(SessionCalls.create, ctx, body));
  }

  @Get()
  @Endpoint({ summary: 'List sessions', calls: SessionCalls.list })
  async list(@Caller() ctx: Ctx, @Query() query: ListSessions) {
    return page('Sessions.', await this.bus.call(SessionCalls.list, ctx, query), query.limit);
  }

  @Get(':sessionId')
  @Endpoint({ summary: 'Read a session', calls: SessionCalls.get })
  async get(@Caller() ctx: Ctx, @Param('sessionId', IdPipe) id: string) {
    return ok('Session.', await this.bus.call(SessionCalls.get, ctx, { id }));
  }

  @Patch(':sessionId')
  @Endpoint({ summary: 'Rename a session or change its metadata', calls: SessionCalls.update })
  async update(@Caller() ctx: Ctx, @Param('sessionId', IdPipe) id: string, @Body() body: SessionChanges) {
    const { title, metadata } = body;
    return ok('Session updated.', await this.bus.call(SessionCalls.update, ctx, { id, title, metadata }));
  }

  @Delete(':sessionId')
  @Endpoint({ summary: 'Delete a session; an active turn is cancelled', calls: SessionCalls.remove })
  async remove(@Caller() ctx: Ctx, @Param('sessionId', IdPipe) id: string) {
    return ok('Session deleted.', await this.bus.call(SessionCalls.remove, ctx, { id }));
  }

  @Get(':sessionId/messages')
  @Endpoint({ summary: 'List the messages and events of a session, oldest first', calls: SessionCalls.listMessages })
  async messages(
    @Caller() ctx: Ctx,
    @Param('sessionId', IdPipe) sessionId: string,
    @Query() query: MessagePageRequest,
  ) {
    const { after, turnId, limit, cursor } = query;
    const rows = await this.bus.call(SessionCalls.listMessages, ctx, { sessionId, after, turnId, limit, cursor });
    return page('Messages.', rows, limit ?? DEFAULT_PAGE);
  }

  @Post(':sessionId/fork')
  @Endpoint({
    summary: 'Fork a session: a new one that shares the transcript up to a message',
    calls: SessionCalls.fork,
    status: 201,
  })
  async fork(@Caller() ctx: Ctx, @Param('sessionId', IdPipe) id: string, @Body() body: ForkRequest) {
    return ok(
      'Session forked.',
      await this.bus.call(SessionCalls.fork, ctx, { id, fromMessageId: body.fromMessageId }),
    );
  }
}
