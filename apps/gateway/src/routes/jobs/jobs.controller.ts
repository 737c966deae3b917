import { Body, Controller, Get, Param, Post, Query, Res } from '@nestjs/common';
import { type Ctx, JobCalls, JobContentQuery, JobStreams, JobView } from '@switchyard/contracts';
import { Bus } from '@switchyard/messaging';
import type { FastifyReply } from 'fastify';
import { ActiveResponses } from '../../auth/active-responses';
import { type Success, ok } from '../../routing/success-response';
import { Caller } from '../../routing/caller.decorator';
import { Endpoint } from '../../routing/endpoint.decorator';
import { IdPipe } from '../../routing/id.pipe';
import { streamFile } from '../../turn-events/stream-file-response';
import { SubmitJobBody } from './jobs.dto';
import { submission } from './jobs.map';

@Controller('api/agent-jobs')
export class JobsController {
  constructor(
    private readonly bus: Bus,
    private readonly streams: ActiveResponses,
  ) {}

  @Post()
  @Endpoint({
    operationId: 'createJob',
    summary: 'Run an agent in the background',
    description:
      'Failures of the runtime are retried with growing waits, refusals never. The callback is one signed POST when the job has ended.',
    calls: JobCalls.submit,
    status: 202,
  })
  async submit(@Caller() ctx: Ctx, @Body() body: SubmitJobBody): Promise<Success<JobView>> {
    return ok('Job accepted.', await this.bus.call(JobCalls.submit, ctx, submission(body)));
  }

  @Get(':jobId/content')
  @Endpoint({
    operationId: 'getJobContent',
    summary: 'Read one field of a job, of any length',
    description: 'The JSON of the field alone, as a stream; a field without a value is `null`.',
    calls: JobStreams.content,
    raw: 'application/json',
  })
  content(
    @Caller() ctx: Ctx,
    @Param('jobId', IdPipe) jobId: string,
    @Query() { field }: JobContentQuery,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return streamFile(this.streams, ctx, reply, {
      headers: { 'content-type': 'application/json; charset=utf-8' },
      open: (signal) => this.bus.stream(JobStreams.content, ctx, { jobId, field }, { signal }),
    });
  }
}
