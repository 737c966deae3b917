import { Body, Controller, Get, Headers, Param, Post, Res } from '@nestjs/common';
import { type Ctx, hasScope, SessionCalls } from '@switchyard/contracts';
import { AppError, invalid, isId, type JsonObject, newId } from '@switchyard/kernel';
import { Bus } from '@switchyard/messaging';
import type { FastifyReply } from 'fastify';
import { Caller } from '../../routing/caller.decorator';
import { Endpoint } from '../../routing/endpoint.decorator';
import { IdPipe } from '../../routing/id.pipe';
import { CALL_ERRORS } from '../../turn-events/agent-call-errors';
import { CreateThread, ThreadCommand, ThreadEvents, ThreadHistory } from './langgraph.dto';
import { refuse } from './read-command';
import { ThreadCommands } from './thread-commands';
import { ThreadStates } from './thread-states';
import { ThreadStreams } from './thread-streams';

const TAG = 'langgraph';
const READ = { access: { scope: 'sessions:read' }, raw: true, errors: ['NOT_FOUND'], tag: TAG } as const;

/** Sessions, as the threads of LangGraph's clients. */
@Controller('langgraph/threads')
export class ThreadsController {
  constructor(
    private readonly bus: Bus,
    private readonly states: ThreadStates,
    private readonly commands: ThreadCommands,
    private readonly streams: ThreadStreams,
  ) {}

  @Post()
  @Endpoint({
    operationId: 'createThread',
    summary: 'LangGraph threads: make a session',
    access: { scope: 'agents:call' },
    raw: true,
    errors: ['NOT_FOUND', 'CONFLICT'],
    tag: TAG,
  })
  async create(@Caller() ctx: Ctx, @Body() body: CreateThread): Promise<JsonObject> {
    refuse({ ...body }, '', ['supersteps', 'ttl']);
    const { graph_id: graph, ...metadata } = body.metadata ?? {};
    if (graph !== undefined && graph !== null && !isId(graph))
      throw invalid('metadata.graph_id', 'must be the id of an agent');
    const id = body.thread_id?.toLowerCase() ?? newId();
    const isThere = body.thread_id ? await this.isThere(ctx, id) : false;
    if (isThere && body.if_exists !== 'do_nothing') throw new AppError('CONFLICT', 'There is such a thread already.');
    if (!isThere && id[14] === '8')
      throw invalid('thread_id', 'must not be a new UUID of version 8: those are made of names');
    const session = { id, metadata, ...(isId(graph) ? { agentId: graph.toLowerCase() } : {}) };
    const made = await this.bus.call(SessionCalls.ensure, ctx, session);
    return isThere && hasScope(ctx.scopes, 'sessions:read') ? this.states.thread(ctx, id) : this.states.newThread(made);
  }

  @Get(':threadId')
  @Endpoint({ operationId: 'getThread', summary: 'LangGraph threads: read a session', ...READ })
  get(@Caller() ctx: Ctx, @Param('threadId', IdPipe) threadId: string): Promise<JsonObject> {
    return this.states.thread(ctx, threadId);
  }

  @Get(':threadId/state')
  @Endpoint({
    operationId: 'getThreadState',
    summary: 'LangGraph threads: read the messages and the pending question of a session',
    ...READ,
  })
  state(@Caller() ctx: Ctx, @Param('threadId', IdPipe) threadId: string): Promise<JsonObject> {
    return this.states.state(ctx, threadId);
  }

  @Post(':threadId/history')
  @Endpoint({
    operationId: 'listThreadHistory',
    summary: 'LangGraph threads: a session after each of its turns, the newest first',
    ...READ,
  })
  history(
    @Caller() ctx: Ctx,
    @Param('threadId', IdPipe) threadId: string,
    @Body() body: ThreadHistory,
  ): Promise<JsonObject[]> {
    refuse({ ...body }, '', ['before', 'metadata', 'checkpoint', 'select']);
    return this.states.history(ctx, threadId, body.limit ?? 10);
  }

  @Post(':threadId/commands')
  @Endpoint({
    operationId: 'sendThreadCommand',
    summary: 'LangGraph threads: run.start, run.cancel, input.respond',
    access: { scope: 'agents:call' },
    raw: true,
    errors: [...CALL_ERRORS, 'INTERACTION_NOT_PENDING'],
    tag: TAG,
  })
  async command(
    @Caller() ctx: Ctx,
    @Param('threadId', IdPipe) threadId: string,
    @Body() body: ThreadCommand,
  ): Promise<JsonObject> {
    return { type: 'success', id: body.id, result: await this.commands.run(ctx, threadId, body) };
  }

  @Post(':threadId/runs/:runId/cancel')
  @Endpoint({
    operationId: 'cancelThreadRun',
    summary: 'LangGraph threads: cancel a run',
    access: { scope: 'agents:call' },
    raw: true,
    errors: ['NOT_FOUND'],
    tag: TAG,
  })
  async cancel(
    @Caller() ctx: Ctx,
    @Param('threadId', IdPipe) threadId: string,
    @Param('runId', IdPipe) runId: string,
  ): Promise<JsonObject> {
    await this.commands.cancel(ctx, threadId, runId);
    return {};
  }

  @Post(':threadId/stream/events')
  @Endpoint({
    operationId: 'streamThreadEvents',
    summary: 'LangGraph threads: the events of the newest turn of a session, and of those that follow',
    access: { scope: 'agents:call' },
    raw: true,
    sse: "Server-sent events of LangGraph's streaming protocol, version 2: the data of each is {type, event_id, seq, method, params: {namespace, timestamp, data}}. The stream stays open between turns.",
    errors: ['NOT_FOUND', 'STREAM_EXPIRED'],
    tag: TAG,
  })
  async events(
    @Caller() ctx: Ctx,
    @Param('threadId', IdPipe) sessionId: string,
    @Body() body: ThreadEvents,
    @Headers('last-event-id') lastEventId: string | undefined,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const { channels, namespaces } = body;
    const requested = new Set(channels);
    // Every event is of the root, which only an empty prefix has.
    const isAtRoot = !namespaces || namespaces.length === 0 || namespaces.some((prefix) => prefix.length === 0);
    const isSubscribed = (channel: string): boolean =>
      isAtRoot && (requested.has(channel) || (channel.startsWith('custom:') && requested.has('custom')));
    const since = body.since ?? numberIn(lastEventId);
    await this.streams.send(ctx, reply, { sessionId, isSubscribed, since });
  }

  private async isThere(ctx: Ctx, id: string): Promise<boolean> {
    try {
      await this.states.session(ctx, id);
      return true;
    } catch (error) {
      if (error instanceof AppError && error.code === 'NOT_FOUND') return false;
      throw error;
    }
  }
}

/** Last-Event-ID, which browsers send when they reconnect. */
function numberIn(header: string | undefined): number | null {
  if (header === undefined || header === '') return null;
  const number = /^\d{1,16}$/.test(header) ? Number(header) : NaN;
  if (!Number.isSafeInteger(number)) throw invalid('Last-Event-ID', 'must be the number of an event');
  return number;
}
