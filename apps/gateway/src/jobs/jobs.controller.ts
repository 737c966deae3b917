import { Body, Controller, Get, Param, Post, Query, Res } from '@nestjs/common';
import {
  type Ctx,
  type JobCallbackView,
  JobCalls,
  JobContentQuery,
  JobStreams,
  JobView,
  ListJobs,
  Nothing,
} from '@switchyard/contracts';
import { Bus } from '@switchyard/messaging';
import type { FastifyReply } from 'fastify';
import { OpenStreams } from '../auth/open-streams';
import { type PageOfRows, type Success, ok, page } from '../endpoint/answers';
import { Caller } from '../endpoint/caller.decorator';
import { Endpoint } from '../endpoint/endpoint.decorator';
import { IdPipe } from '../endpoint/id.pipe';
import { streamFile } from '../streams/stream-file';
import { SubmitJobBody } from './jobs.dto';
import { submission } from './jobs.map';

@Controller('api/agent-jobs')
export class JobsController {
  constructor(
    private readonly bus: Bus,
    private readonly streams: OpenStreams,
  ) {}

  @Post()
  @Endpoint({
    summary: 'Run an agent in the background',
    description:
      'Failures of the runtime are retried with growing waits, refusals never. The callback is one signed POST when the job has ended.',
    calls: JobCalls.submit,
    status: 202,
  })
  async submit(@Caller() ctx: Ctx, @Body() body: SubmitJobBody): Promise<Success<JobView>> {
    return ok('Job accepted.', await this.bus.call(JobCalls.submit, ctx, submission(body)));
  }

  @Get()
  @Endpoint({ summary: 'List jobs', description: 'Your own; ADMIN and up see all of the Space.', calls: JobCalls.list })
  async list(@Caller() ctx: Ctx, @Query() query: ListJobs): Promise<Success<JobView[]> & { page: PageOfRows }> {
    return page('Jobs.', await this.bus.call(JobCalls.list, ctx, query), query.limit);
  }

  @Get(':jobId')
  @Endpoint({
    summary: 'Read a job',
    description:
      'All of it up to 8 MiB; beyond that its longest fields are `{truncated: true, bytes, content}`, and a GET of `content` has the field.',
    calls: JobCalls.get,
  })
  async get(@Caller() ctx: Ctx, @Param('jobId', IdPipe) jobId: string): Promise<Success<JobView>> {
    return ok('The job.', await this.bus.call(JobCalls.get, ctx, { jobId }));
  }

  @Get(':jobId/callback')
  @Endpoint({
    summary: 'Read what has become of the callback of a job',
    description: 'How often it was sent and what was answered. 404 for a job without `callbackUrl`.',
    calls: JobCalls.getCallback,
  })
  async callback(@Caller() ctx: Ctx, @Param('jobId', IdPipe) jobId: string): Promise<Success<JobCallbackView>> {
    return ok('The callback.', await this.bus.call(JobCalls.getCallback, ctx, { jobId }));
  }

  @Get(':jobId/content')
  @Endpoint({
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

  @Post(':jobId/cancel')
  @Endpoint({
    summary: 'Ask a job to stop',
    description:
      'A running job is CANCELLING until its turn has stopped. Asking again changes nothing; a job that has ended otherwise is 409.',
    calls: JobCalls.cancel,
  })
  async cancel(
    @Caller() ctx: Ctx,
    @Param('jobId', IdPipe) jobId: string,
    @Body() _: Nothing,
  ): Promise<Success<JobView>> {
    return ok('Cancellation requested.', await this.bus.call(JobCalls.cancel, ctx, { jobId }));
  }
}
