import { Body, Controller, Delete, Get, Headers, Param, Post, Put, Query } from '@nestjs/common';
import { CreateTask, type Ctx, Deleted, ListTasks, TaskCalls, TaskChanges, TaskView } from '@switchyard/contracts';
import { AppError } from '@switchyard/kernel';
import { Bus } from '@switchyard/messaging';
import { type PageOfRows, type Success, ok, page } from '../endpoint/answers';
import { Caller } from '../endpoint/caller.decorator';
import { Endpoint } from '../endpoint/endpoint.decorator';
import { IdPipe } from '../endpoint/id.pipe';

const STEPS = `A task runs its steps one after the other, always as its owner: whoever saved its steps last.

Each step is \`{id, type, if?, with, retry?, continueOnError?}\`. What \`with\` holds, by type:
\`agent\` {agentId, inputs?, contents?, settings? (an execute's)}; \`http\` {url, method?, headers?, body?, responseType?, timeoutSeconds?};
\`dataset\` {datasetId, operation, ...the operation's body}; \`emit\` {appIdentifier, event, payload, idempotencyKey?};
\`transform\` an object; \`wait\` {seconds}.

Texts are templates: \`{{ path | filter }}\` over \`execution.inputs\`, \`execution.inputs.trigger\` and \`steps.<id>.output\`. A text that is
exactly one expression keeps the value's type. Paths read own properties, filters are a fixed list, nothing else is evaluated.`;

const versionOf = (ifMatch: string | undefined): number | undefined => {
  if (ifMatch === undefined || ifMatch.trim() === '*') return undefined;
  const version = /^\s*(?:W\/)?"?(\d{1,9})"?\s*$/.exec(ifMatch)?.[1];
  if (version === undefined)
    throw new AppError('PRECONDITION_FAILED', 'If-Match must name a version of the task, such as "3".');
  return Number(version);
};

@Controller('api/tasks')
export class TasksController {
  constructor(private readonly bus: Bus) {}

  @Post()
  @Endpoint({ summary: 'Create a task', description: STEPS, calls: TaskCalls.create, status: 201 })
  async create(@Caller() ctx: Ctx, @Body() body: CreateTask): Promise<Success<TaskView>> {
    return ok('Task created.', await this.bus.call(TaskCalls.create, ctx, body));
  }

  @Get()
  @Endpoint({ summary: 'List tasks', calls: TaskCalls.list })
  async list(@Caller() ctx: Ctx, @Query() query: ListTasks): Promise<Success<TaskView[]> & { page: PageOfRows }> {
    return page('Tasks.', await this.bus.call(TaskCalls.list, ctx, query), query.limit);
  }

  @Get(':taskId')
  @Endpoint({ summary: 'Read a task', calls: TaskCalls.get })
  async get(@Caller() ctx: Ctx, @Param('taskId', IdPipe) taskId: string): Promise<Success<TaskView>> {
    return ok('The task.', await this.bus.call(TaskCalls.get, ctx, { taskId }));
  }

  @Put(':taskId')
  @Endpoint({
    summary: 'Change a task',
    description: `The given fields are replaced, the others stay. Who changes steps or inputs becomes the owner.\n\n${STEPS}`,
    calls: TaskCalls.update,
  })
  async update(
    @Caller() ctx: Ctx,
    @Param('taskId', IdPipe) taskId: string,
    @Body() changes: TaskChanges,
    @Headers('if-match') ifMatch?: string,
  ): Promise<Success<TaskView>> {
    return ok(
      'Task changed.',
      await this.bus.call(TaskCalls.update, ctx, { taskId, changes, ifVersion: versionOf(ifMatch) }),
    );
  }

  @Delete(':taskId')
  @Endpoint({
    summary: 'Delete a task',
    description: 'What runs of it is cancelled. Subscriptions to it are deleted a moment later.',
    calls: TaskCalls.remove,
  })
  async remove(@Caller() ctx: Ctx, @Param('taskId', IdPipe) taskId: string): Promise<Success<Deleted>> {
    return ok('Task deleted.', await this.bus.call(TaskCalls.remove, ctx, { taskId }));
  }
}
