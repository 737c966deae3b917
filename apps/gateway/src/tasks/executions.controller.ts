import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import {
  type Ctx,
  ExecutionView,
  type ListExecutions,
  ListExecutionsQuery,
  Nothing,
  RunView,
  TaskCalls,
  pageOf,
} from '@switchyard/contracts';
import { Bus } from '@switchyard/messaging';
import { type PageOfRows, type Success, ok, page } from '../endpoint/answers';
import { Caller } from '../endpoint/caller.decorator';
import { Endpoint } from '../endpoint/endpoint.decorator';
import { IdPipe } from '../endpoint/id.pipe';
import { ExecuteTaskBody } from './tasks.dto';

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
  constructor(private readonly bus: Bus) {}

  @Post(':taskId/execute')
  @Endpoint({
    summary: 'Start an execution by hand',
    description:
      'It runs in the background, also when the task is inactive. Over its concurrency limit a task of the policy SKIP answers an execution that is SKIPPED.',
    scope: 'tasks:execute',
    role: 'MEMBER',
    status: 202,
    reply: ExecutionView,
    idempotent: 'body',
    errors: ['NOT_FOUND'],
  })
  async execute(
    @Caller() ctx: Ctx,
    @Param('taskId', IdPipe) taskId: string,
    @Body() body: ExecuteTaskBody,
  ): Promise<Success<ExecutionView>> {
    return ok('Execution accepted.', await this.bus.call(TaskCalls.execute, ctx, { taskId, inputs: body.inputs }));
  }

  @Get(':taskId/executions')
  @Endpoint({
    summary: "List a task's executions",
    scope: 'tasks:read',
    reply: pageOf(ExecutionView),
    errors: ['NOT_FOUND'],
  })
  async list(
    @Caller() ctx: Ctx,
    @Param('taskId', IdPipe) taskId: string,
    @Query() query: ListExecutionsQuery,
  ): Promise<Success<ExecutionView[]> & { page: PageOfRows }> {
    return page('Executions.', await this.bus.call(TaskCalls.listExecutions, ctx, ofTask(taskId, query)), query.limit);
  }

  @Get('executions/:executionId')
  @Endpoint({
    summary: 'Read an execution with its steps',
    scope: 'tasks:read',
    reply: ExecutionView,
    errors: ['NOT_FOUND'],
  })
  async get(@Caller() ctx: Ctx, @Param('executionId', IdPipe) executionId: string): Promise<Success<ExecutionView>> {
    return ok('The execution.', await this.bus.call(TaskCalls.getExecution, ctx, { executionId }));
  }

  @Get('runs/:executionId')
  @Endpoint({ summary: 'Read how far an execution is', scope: 'tasks:read', reply: RunView, errors: ['NOT_FOUND'] })
  async run(@Caller() ctx: Ctx, @Param('executionId', IdPipe) executionId: string): Promise<Success<RunView>> {
    return ok('The run.', await this.bus.call(TaskCalls.getRun, ctx, { executionId }));
  }

  @Post('executions/:executionId/cancel')
  @Endpoint({
    summary: 'Cancel an execution',
    description: 'Cancelling it again changes nothing; one that has ended otherwise is 409.',
    scope: 'tasks:execute',
    role: 'MEMBER',
    reply: ExecutionView,
    errors: ['NOT_FOUND', 'CONFLICT'],
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
    scope: 'tasks:execute',
    role: 'MEMBER',
    status: 202,
    reply: ExecutionView,
    errors: ['NOT_FOUND', 'CONFLICT'],
  })
  async retry(
    @Caller() ctx: Ctx,
    @Param('executionId', IdPipe) executionId: string,
    @Body() _: Nothing,
  ): Promise<Success<ExecutionView>> {
    return ok('Execution accepted again.', await this.bus.call(TaskCalls.retry, ctx, { executionId }));
  }
}
