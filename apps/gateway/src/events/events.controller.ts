import { Body, Controller, Get, Post, Query, Res } from '@nestjs/common';
import {
  type Ctx,
  EmitEvent,
  Emitted,
  EventBusCalls,
  EventStats,
  EventStatsRequest,
  ListRegisteredEvents,
  RegisteredEventView,
  pageOf,
} from '@switchyard/contracts';
import { Bus } from '@switchyard/messaging';
import type { FastifyReply } from 'fastify';
import { type PageOfRows, type Success, ok, page } from '../endpoint/answers';
import { Caller } from '../endpoint/caller.decorator';
import { Endpoint } from '../endpoint/endpoint.decorator';

@Controller('api/events')
export class EventsController {
  constructor(private readonly bus: Bus) {}

  @Post('emit')
  @Endpoint({
    summary: 'Emit an event',
    description:
      'With the key of the application that declares it. The emission is recorded before the answer and dispatched after it. ' +
      'The same idempotency key and payload again: 200 with the first envelope, and nothing is emitted.',
    scope: 'events:emit',
    systemKey: 'only',
    status: 202,
    reply: Emitted,
    also: [{ status: 200, description: 'The same emission again: the first envelope, and nothing is emitted.' }],
    idempotent: 'body',
    errors: [
      'APPLICATION_NOT_INSTALLED',
      'EVENT_NOT_REGISTERED',
      'EVENT_PAYLOAD_INVALID',
      'PAYLOAD_TOO_LARGE',
      'IDEMPOTENCY_CONFLICT',
    ],
  })
  async emit(
    @Caller() ctx: Ctx,
    @Body() body: EmitEvent,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Success<Emitted>> {
    const emitted = await this.bus.call(EventBusCalls.emit, ctx, body);
    if (!emitted.duplicate) return ok('Event accepted.', emitted);
    void reply.status(200);
    return ok('Event was accepted before.', emitted);
  }

  @Get('registered')
  @Endpoint({
    summary: 'List the events that installed applications declare',
    scope: 'events:read',
    reply: pageOf(RegisteredEventView),
  })
  async registered(
    @Caller() ctx: Ctx,
    @Query() query: ListRegisteredEvents,
  ): Promise<Success<RegisteredEventView[]> & { page: PageOfRows }> {
    return page('Registered events.', await this.bus.call(EventBusCalls.listRegisteredEvents, ctx, query), query.limit);
  }

  @Get('stats')
  @Endpoint({ summary: 'Count emissions by status, by event and over time', scope: 'events:read', reply: EventStats })
  async stats(@Caller() ctx: Ctx, @Query() query: EventStatsRequest): Promise<Success<EventStats>> {
    return ok('Statistics.', await this.bus.call(EventBusCalls.stats, ctx, query));
  }
}
