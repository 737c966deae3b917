import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import { type Ctx, KeyCalls, ListEvents, OperatorStreams } from '@switchyard/contracts';
import { Bus } from '@switchyard/messaging';
import type { FastifyReply } from 'fastify';
import { ActiveResponses } from '../../auth/active-responses';
import { page } from '../../routing/success-response';
import { Caller } from '../../routing/caller.decorator';
import { Endpoint } from '../../routing/endpoint.decorator';
import type { ApiRequest } from '../../http/api-request';
import { streamFile } from '../../turn-events/stream-file-response';

const NDJSON = 'application/x-ndjson';

/** The audit log of all Spaces and of the platform. */
@Controller('api/operator/events')
export class OperatorEventsController {
  constructor(
    private readonly bus: Bus,
    private readonly streams: ActiveResponses,
  ) {}

  @Get()
  @Endpoint({
    operationId: 'listOperatorSecurityEvents',
    summary: 'List the security events of all Spaces and of the platform, newest first',
    description: `With \`Accept: ${NDJSON}\` all that the filters find, one event a line, whatever \`limit\` says.`,
    calls: KeyCalls.listEvents,
    tag: 'operator',
  })
  async list(
    @Caller() ctx: Ctx,
    @Query() query: ListEvents,
    @Req() request: ApiRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    if (!wantsLines(request.headers.accept)) {
      void reply.send(page('Security events.', await this.bus.call(KeyCalls.listEvents, ctx, query), query.limit));
      return;
    }
    await streamFile(this.streams, ctx, reply, {
      headers: { 'content-type': `${NDJSON}; charset=utf-8` },
      open: (signal) => this.bus.stream(OperatorStreams.events, ctx, query, { signal }),
    });
  }
}

const wantsLines = (accept = ''): boolean =>
  accept
    .toLowerCase()
    .split(',')
    .some((type) => type.split(';', 1)[0]?.trim() === NDJSON);
