import { Body, Controller, Get, Param, Post, Query, Res } from '@nestjs/common';
import {
  type Ctx,
  ExecutionContentQuery,
  ExecutionView,
  type ListExecutions,
  ListExecutionsQuery,
  Nothing,
  RunView,
  SearchExecutions,
  TaskCalls,
  TaskStreams,
} from '@switchyard/contracts';
import { Bus } from '@switchyard/messaging';
import type { FastifyReply } from 'fastify';
import { OpenStreams } from '../auth/open-streams';
import { type PageOfRows, type Success, ok, page } from '../endpoint/answers';
import { Caller } from '../endpoint/caller.decorator';
import { Endpoint } from '../endpoint/endpoint.decorator';
import { IdPipe } from '../endpoint/id.pipe';
import { streamFile } from '../streams/stream-file';
import { ExecuteTaskBody, RerunExecutionBody } from './tasks.dto';

const ofTask = (taskId: string, { status, from, to, limit, cursor }: ListExecutionsQuery): ListExecutions => ({
  taskId,
  status,
  from,
  to,
  limit,
  cursor,
});

@Controller('api/tasks')
export class ExecutionsController {
  constructor(
    private readonly bus: Bus,
    private readonly streams: OpenStreams,
  ) {}

  @Post(':taskId/execute')
  @Endpoint({
    summary: 'Start an execution by hand',
    description:
      'It runs in the background, also when the task is inactive. Over its concurrency limit a task of the policy SKIP answers an execution that is SKIPPED.',
    calls: TaskCalls.execute,
    status: 202,
  })
  async execute(
    @Caller() ctx: Ctx,
    @Param('taskId', IdPipe) taskId: string,
    @Body() body: ExecuteTaskBody,
  ): Promise<Success<ExecutionView>> {
    return ok('Execution accepted.', await this.bus.call(TaskCalls.execute, ctx, { taskId, inputs: body.inputs }));
  }

  @Get(':taskId/executions')
  @Endpoint({ summary: "List a task's executions", calls: TaskCalls.listExecutions })
  async list(
    @Caller() ctx: Ctx,
    @Param('taskId', IdPipe) taskId: string,
    @Query() query: ListExecutionsQuery,
  ): Promise<Success<ExecutionView[]> & { page: PageOfRows }> {
    return page('Executions.', await this.bus.call(TaskCalls.listExecutions, ctx, ofTask(taskId, query)), query.limit);
  }

  @Get('executions')
  @Endpoint({
    summary: "List the executions of all the Space's tasks",
    description: 'Newest first. Inputs and outputs over 16 KiB are left out; the single record has them.',
    calls: TaskCalls.searchExecutions,
  })
  async search(
    @Caller() ctx: Ctx,
    @Query() query: SearchExecutions,
  ): Promise<Success<ExecutionView[]> & { page: PageOfRows }> {
    return page('Executions.', await this.bus.call(TaskCalls.searchExecutions, ctx, query), query.limit);
  }

  @Post('executions/:executionId/rerun')
  @Endpoint({
    summary: 'Run the task of an execution again, with the same or other inputs',
    description:
      "A new execution of the task as it is now; `rerunOf` names the old one. The rerun of an event's run keeps its trigger.",
    calls: TaskCalls.rerun,
    status: 202,
  })
  async rerun(
    @Caller() ctx: Ctx,
    @Param('executionId', IdPipe) executionId: string,
    @Body() { inputs }: RerunExecutionBody,
  ): Promise<Success<ExecutionView>> {
    return ok('Execution accepted.', await this.bus.call(TaskCalls.rerun, ctx, { executionId, inputs }));
  }

  @Get('executions/:executionId')
  @Endpoint({
    summary: 'Read an execution with its steps',
    description:
      'All of it up to 8 MiB; beyond that its longest fields are `{truncated: true, bytes, content}`, and a GET of `content` has the field.',
    calls: TaskCalls.getExecution,
  })
  async get(@Caller() ctx: Ctx, @Param('executionId', IdPipe) executionId: string): Promise<Success<ExecutionView>> {
    return ok('The execution.', await this.bus.call(TaskCalls.getExecution, ctx, { executionId }));
  }

  @Get('executions/:executionId/content')
  @Endpoint({
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

  @Get('runs/:executionId')
  @Endpoint({ summary: 'Read how far an execution is', calls: TaskCalls.getRun })
  async run(@Caller() ctx: Ctx, @Param('executionId', IdPipe) executionId: string): Promise<Success<RunView>> {
    return ok('The run.', await this.bus.call(TaskCalls.getRun, ctx, { executionId }));
  }

  @Post('executions/:executionId/cancel')
  @Endpoint({
    summary: 'Cancel an execution',
    description: 'Cancelling it again changes nothing; one that has ended otherwise is 409.',
    calls: TaskCalls.cancel,
  })
  async cancel(
    @Caller() ctx: Ctx,
    @Param('executionId', IdPipe) executionId: string,
    @Body() _: Nothing,
  ): Promise<Success<ExecutionView>> {
    return ok('Execution cancelled.', await this.bus.call(TaskCalls.cancel, ctx, { executionId }));
  }

  @Post('executions/:executionId/retry')
  @Endpoint({
    summary: 'Run an execution again from the step that failed',
    description:
      'The same execution with the next attempt; steps that have a result are not run again. Only FAILED, TIMED_OUT and CANCELLED ones.',
    calls: TaskCalls.retry,
    status: 202,
  })
  async retry(
    @Caller() ctx: Ctx,
    @Param('executionId', IdPipe) executionId: string,
    @Body() _: Nothing,
  ): Promise<Success<ExecutionView>> {
    return ok('Execution accepted again.', await this.bus.call(TaskCalls.retry, ctx, { executionId }));
  }
}
