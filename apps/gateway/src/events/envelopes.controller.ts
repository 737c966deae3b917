import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import {
  type Ctx,
  EnvelopeDetails,
  EnvelopeView,
  EventBusCalls,
  ListEnvelopes,
  Nothing,
  Replayed,
} from '@switchyard/contracts';
import { Bus } from '@switchyard/messaging';
import { type PageOfRows, type Success, ok, page } from '../endpoint/answers';
import { Caller } from '../endpoint/caller.decorator';
import { Endpoint } from '../endpoint/endpoint.decorator';
import { IdPipe } from '../endpoint/id.pipe';

@Controller('api/events/envelopes')
export class EnvelopesController {
  constructor(private readonly bus: Bus) {}

  @Get()
  @Endpoint({ summary: 'Read the event log, newest first', calls: EventBusCalls.listEnvelopes })
  async list(
    @Caller() ctx: Ctx,
    @Query() query: ListEnvelopes,
  ): Promise<Success<EnvelopeView[]> & { page: PageOfRows }> {
    return page('Envelopes.', await this.bus.call(EventBusCalls.listEnvelopes, ctx, query), query.limit);
  }

  @Get(':envelopeId')
  @Endpoint({
    summary: 'Read an envelope and what it started',
    description: 'Always whole, never with links: a payload has at most 512 KiB.',
    calls: EventBusCalls.getEnvelope,
  })
  async get(@Caller() ctx: Ctx, @Param('envelopeId', IdPipe) id: string): Promise<Success<EnvelopeDetails>> {
    return ok('Envelope.', await this.bus.call(EventBusCalls.getEnvelope, ctx, { id }));
  }

  @Post(':envelopeId/replay')
  @Endpoint({
    summary: 'Start the matching subscriptions again',
    description: 'The subscriptions of now, once for each replay. Tasks should be idempotent.',
    calls: EventBusCalls.replay,
    status: 202,
  })
  async replay(
    @Caller() ctx: Ctx,
    @Param('envelopeId', IdPipe) id: string,
    @Body() _body: Nothing,
  ): Promise<Success<Replayed>> {
    return ok('Envelope replayed.', await this.bus.call(EventBusCalls.replay, ctx, { id }));
  }
}
