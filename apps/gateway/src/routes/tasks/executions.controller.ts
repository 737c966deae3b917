import { Controller, Get, Param, Query, Res } from '@nestjs/common';
import { type Ctx, ExecutionContentQuery, TaskStreams } from '@switchyard/contracts';
import { Bus } from '@switchyard/messaging';
import type { FastifyReply } from 'fastify';
import { ActiveResponses } from '../../auth/active-responses';
import { Caller } from '../../routing/caller.decorator';
import { Endpoint } from '../../routing/endpoint.decorator';
import { IdPipe } from '../../routing/id.pipe';
import { streamFile } from '../../turn-events/stream-file-response';

@Controller('api/tasks')
export class ExecutionsController {
  constructor(
    private readonly bus: Bus,
    private readonly streams: ActiveResponses,
  ) {}

  @Get('executions/:executionId/content')
  @Endpoint({
    operationId: 'getExecutionContent',
    summary: 'Read one field of an execution, of any length',
    description: 'The JSON of the field alone, as a stream; a field without a value is `null`.',
    calls: TaskStreams.content,
    raw: 'application/json',
  })
  content(
    @Caller() ctx: Ctx,
    @Param('executionId', IdPipe) executionId: string,
    @Query() { field }: ExecutionContentQuery,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return streamFile(this.streams, ctx, reply, {
      headers: { 'content-type': 'application/json; charset=utf-8' },
      open: (signal) => this.bus.stream(TaskStreams.content, ctx, { executionId, field }, { signal }),
    });
  }
}
