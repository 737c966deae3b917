import { Body, Controller, Get, Headers, Param, Post, Query, Res } from '@nestjs/common';
import { AgentCalls, type Ctx, isActiveTurn, lending, SessionCalls, type TurnRecord } from '@switchyard/contracts';
import { AppError, invalid, isPlainObject, type JsonObject } from '@switchyard/kernel';
import { Bus } from '@switchyard/messaging';
import type { FastifyReply } from 'fastify';
import { Caller } from '../../routing/caller.decorator';
import { markReplayed } from '../../routing/success-response';
import { Endpoint } from '../../routing/endpoint.decorator';
import { readConversationId, readResponseId, responseId } from './openai-ids';
import type { SegmentName } from '../../turn-events/client-call-ids';
import { ToolAnswers } from './tool-answers';
import { AppendOnlyProjection } from './append-only-projection';
import { ResponsesProjection } from './responses-projection';
import type { Projection } from '../../turn-events/protocol-projection';
import { Reached } from '../../turn-events/turn-segments';
import { FrameFollower } from '../../turn-events/frame-follower';
import { TurnStreamer } from '../../turn-events/turn-streamer';
import { isAppendOnlyClient } from './append-only-clients';
import { firstInput, laterInput, pageOf } from './response-input-items';
import { InputItemsQuery, ResponseQuery, ResponsesBody } from './openai.dto';
import { metadataOf } from './metadata';
import { inWordsOf, optionalObject } from '../../turn-events/read-json-fields';
import { agentIdOf, type TurnHandle, type TurnRequest, OpenAiTurns } from './openai-turns';
import { localToolsOf, ownOf, schemaOfFormat, settingsOf } from '../../turn-events/turn-settings-from-request';
import { readInput } from '../../turn-events/read-client-input';
import { readItems } from './read-request-items';
import { CALL_ERRORS } from '../../turn-events/agent-call-errors';
import { sendCompleteResponse } from './send-complete-response';
import { PartialResponseCache } from './partial-response-cache';
import { refuseUnsupported } from './refuse-unsupported-fields';

/** A read of a running turn returns what has arrived within this time. */
const LOOK_MS = 750;
const CANCEL_WITHIN_MS = 5_000;
/** If the turn is running, a missing response is awaited this long: its frames may be in flight. */
const FOUND_WITHIN_MS = 5_000;

/** Field names of a turn's request in terms of OpenAI's. */
const NAMES = {
  contents: '(input)',
  history: '(input)',
  output: 'input',
  localTools: 'tools',
  responseSchema: '(text.format.schema)',
  settings: '(max_output_tokens)',
};

const noResponse = (): AppError => new AppError('NOT_FOUND', 'Response not found.');

function named(id: string): SegmentName {
  const name = readResponseId(id);
  if (!name) throw noResponse();
  return name;
}

@Controller('openai/v1/responses')
export class ResponsesController {
  constructor(
    private readonly bus: Bus,
    private readonly turns: OpenAiTurns,
    private readonly frames: TurnStreamer,
    private readonly follower: FrameFollower,
    private readonly partialResponses: PartialResponseCache,
  ) {}

  @Post()
  @Endpoint({
    operationId: 'createResponse',
    summary: 'OpenAI Responses: chat with an agent, or answer its question',
    access: { scope: 'agents:call' },
    raw: true,
    sse: true,
    openai: true,
    errors: CALL_ERRORS,
    tag: 'openai',
  })
  create(
    @Caller() ctx: Ctx,
    @Body() body: ResponsesBody,
    @Headers('idempotency-key') key: string | undefined,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return inWordsOf(NAMES, () => this.answer(ctx, body, key, reply));
  }

  private async answer(ctx: Ctx, body: ResponsesBody, key: string | undefined, reply: FastifyReply): Promise<void> {
    refuseUnsupported(body);
    const isStored = body.store !== false;
    const isBackground = body.background === true;
    if (isBackground && !isStored) throw invalid('background', 'needs what is stored');
    const location = locationOf(body, isStored);
    const format = optionalObject(body.text, 'text') ?? {};
    if (!isDefaultVerbosity(format['verbosity'])) throw invalid('text.verbosity', 'is set by the agent');
    const turn = await this.turns.start(ctx, {
      model: body.model,
      input: readInput(readItems(body.input, isStored), 'input', isStored),
      ...location,
      isStored,
      waits: !isBackground,
      metadata: metadataOf(body.metadata),
      own: ownOf(localToolsOf(body.tools), schemaOfFormat(format['format'], 'text.format')),
      instructions: body.instructions ?? null,
      settings: settingsOf(body, body.max_output_tokens),
      route: 'responses',
      key,
    });
    const about = { turnId: turn.turnId, segment: turn.segment, model: body.model, fields: aboutRequest(body, turn) };
    const projection = new ResponsesProjection(about);
    if (body.stream === true) {
      const partialResponses = isAppendOnlyClient(reply.request.headers['user-agent'])
        ? // A repeated request may follow a stream that broke off within output that became void.
          new AppendOnlyProjection(about, turn.isAgain ? 'buffered' : 'streamed')
        : projection;
      await this.frames.send(ctx, reply, { ...turn, projection: partialResponses });
      return;
    }
    if (isBackground) {
      if (turn.isAgain) markReplayed(reply);
      void reply.send(projection.queuedResponse(await turn.begin()));
      return;
    }
    await sendCompleteResponse(this.follower, ctx, reply, { turn, projection, body: () => projection.response() });
  }

  @Get(':responseId')
  @Endpoint({
    operationId: 'getResponse',
    summary: 'OpenAI Responses: read a response, or attach to its stream',
    access: { scope: 'agents:call' },
    raw: true,
    sse: true,
    openai: true,
    errors: ['NOT_FOUND', 'FORBIDDEN', 'STREAM_EXPIRED'],
    tag: 'openai',
  })
  async get(
    @Caller() ctx: Ctx,
    @Param('responseId') id: string,
    @Query() query: ResponseQuery,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const name = named(id);
    const turn = await this.found(ctx, name);
    if (query.stream === true) {
      const projection = this.projectionOf({ ...name }, turn.agentId, {}, query.starting_after);
      await this.frames.send(ctx, reply, { ...this.turns.standing(ctx, turn, name.segment), projection });
      return;
    }
    if (query.starting_after !== undefined) throw invalid('starting_after', 'goes with stream');
    void reply.send((await this.looked(ctx, turn, name)).response());
  }

  @Post(':responseId/cancel')
  @Endpoint({
    operationId: 'cancelResponse',
    summary: 'OpenAI Responses: cancel a response in any phase',
    access: { scope: 'agents:call' },
    raw: true,
    openai: true,
    errors: ['NOT_FOUND', 'FORBIDDEN', 'STREAM_EXPIRED'],
    tag: 'openai',
  })
  async cancel(@Caller() ctx: Ctx, @Param('responseId') id: string): Promise<JsonObject> {
    const name = named(id);
    const unread = await this.turns.findAny(ctx, name.turnId);
    if (unread.isUnstored) return this.cancelUnread(ctx, name, unread);
    const turn = await this.found(ctx, name);
    await this.bus.call(AgentCalls.cancelTurn, ctx, { agentId: turn.agentId, turnId: turn.id });
    const projection = await this.looked(ctx, turn, name, CANCEL_WITHIN_MS);
    return projection.response(projection.isOver ? undefined : 'cancelled');
  }

  @Get(':responseId/input_items')
  @Endpoint({
    operationId: 'listResponseInputItems',
    summary: 'OpenAI Responses: list the input items of a response',
    access: { scope: 'sessions:read' },
    raw: true,
    openai: true,
    errors: ['NOT_FOUND', 'FORBIDDEN', 'STREAM_EXPIRED'],
    tag: 'openai',
  })
  async inputItems(
    @Caller() ctx: Ctx,
    @Param('responseId') id: string,
    @Query() query: InputItemsQuery,
  ): Promise<JsonObject> {
    const name = named(id);
    // The transcript has everything that this reader may see of the turn.
    const reading = lending(ctx, SessionCalls.getTurn);
    if (name.segment === 1)
      return pageOf(await firstInput(this.bus, ctx, await this.turns.find(reading, name.turnId)), query);
    return pageOf(await laterInput(this.bus, ctx, name, await this.answersBefore(reading, name)), query);
  }

  /** A response with store: false shows only that it was cancelled. */
  private async cancelUnread(
    ctx: Ctx,
    name: SegmentName,
    { agentId, id: turnId, status }: TurnRecord,
  ): Promise<JsonObject> {
    if (!isActiveTurn(status)) throw noResponse();
    await this.bus.call(AgentCalls.cancelTurn, ctx, { agentId, turnId });
    return this.projectionOf(name, agentId, {}).response('cancelled');
  }

  /** A running turn: its output so far. An ended turn: all of it. */
  private async looked(
    ctx: Ctx,
    turn: TurnRecord,
    name: SegmentName,
    readForMs = LOOK_MS,
  ): Promise<ResponsesProjection> {
    const { projection, after } = this.partialResponses.take(ctx, turn, name.segment) ?? {
      projection: this.projectionOf(name, turn.agentId, {}),
      after: 0,
    };
    // A finished response is returned although its turn continues. Access is still checked.
    if (projection.isOver) await this.turns.checkReadable(ctx, turn);
    const last = projection.isOver ? after : await this.readFrames(ctx, turn, name, projection, { readForMs, after });
    this.partialResponses.keep(ctx, turn, name.segment, { projection, after: last });
    if (!projection.hasBegun && turn.status !== 'RUNNING') throw noResponse();
    return projection;
  }

  private readFrames(
    ctx: Ctx,
    turn: TurnRecord,
    { segment }: SegmentName,
    projection: Projection,
    {
      readForMs = FOUND_WITHIN_MS,
      after = 0,
      enough,
    }: { readForMs?: number; after?: number; enough?: AbortSignal } = {},
  ): Promise<number> {
    const until = turn.status === 'RUNNING' ? { until: enough ?? AbortSignal.timeout(readForMs) } : {};
    return this.follower.follow(ctx, { ...this.turns.standing(ctx, turn, segment, after), projection, ...until });
  }

  /** The turn of an existing response: its first segment, or a later one that has begun or is about to. */
  private async found(ctx: Ctx, name: SegmentName): Promise<TurnRecord> {
    const turn = await this.turns.find(ctx, name.turnId);
    if (name.segment === 1 || this.partialResponses.has(ctx, turn, name.segment)) return turn;
    const reached = new Reached(name.segment, isAnswered(turn));
    await this.readFrames(ctx, turn, name, reached);
    return (await this.isReached(ctx, turn, reached)) ? turn : this.found(ctx, name);
  }

  /**
   * The answers before a response. Once all calls are found, results that arrive soon are included.
   */
  private async answersBefore(ctx: Ctx, name: SegmentName): Promise<ToolAnswers> {
    const turn = await this.turns.find(ctx, name.turnId);
    // Not AbortSignal.any of a time limit: nothing holds the limit then, and once it is collected it never comes.
    const enough = new AbortController();
    const endAfter = (ms: number): void => {
      setTimeout(() => {
        enough.abort();
      }, ms).unref();
    };
    endAfter(FOUND_WITHIN_MS);
    const answers = new ToolAnswers(name.segment, isAnswered(turn), () => {
      endAfter(LOOK_MS);
    });
    await this.readFrames(ctx, turn, name, answers, { enough: enough.signal });
    return (await this.isReached(ctx, turn, answers.reached)) ? answers : this.answersBefore(ctx, name);
  }

  /** Throws if the segment does not exist. False if the turn has asked since it was read: read again. */
  private async isReached(ctx: Ctx, turn: TurnRecord, reached: Reached): Promise<boolean> {
    if (!reached.isOver) throw noResponse();
    return !isAnswered(turn) || !reached.isRequested || isAnswered(await this.turns.find(ctx, turn.id));
  }

  private projectionOf(
    { turnId, segment }: SegmentName,
    model: string,
    fields: JsonObject,
    startingAfter?: number,
  ): ResponsesProjection {
    return new ResponsesProjection({
      turnId,
      segment,
      model,
      fields,
      ...(startingAfter === undefined ? {} : { startingAfter }),
    });
  }
}

/** The conversation that is named, in either way. */
function locationOf(body: ResponsesBody, isStored: boolean): Pick<TurnRequest, 'sessionId' | 'afterTurn'> {
  const { previous_response_id: previous, conversation } = body;
  agentIdOf(body.model);
  const hasConversation = conversation !== undefined && conversation !== null;
  if (typeof previous === 'string' && hasConversation)
    throw invalid('conversation', 'cannot come with previous_response_id');
  if ((typeof previous === 'string' || hasConversation) && !isStored)
    throw invalid('store', 'cannot be false in a conversation');
  if (typeof previous === 'string') {
    const name = readResponseId(previous);
    if (!name) throw new AppError('NOT_FOUND', 'There is no response of that previous_response_id.');
    return { sessionId: null, afterTurn: name.turnId };
  }
  if (!hasConversation) return { sessionId: null, afterTurn: null };
  const named = isPlainObject(conversation) ? conversation['id'] : conversation;
  if (typeof named !== 'string') throw invalid('conversation', 'must be an id, or an object with one');
  const sessionId = readConversationId(named);
  if (sessionId === null) throw new AppError('NOT_FOUND', 'Conversation not found.');
  return { sessionId, afterTurn: null };
}

/**
 * A running turn may send nothing for long: it waits for a slot, or its agent process failed.
 */
const isAnswered = ({ status }: TurnRecord): boolean => status === 'RUNNING';

const isDefaultVerbosity = (value: unknown): boolean => value === undefined || value === null || value === 'medium';

/** Request settings that a response repeats. */
function aboutRequest(body: ResponsesBody, { turnId, segment }: TurnHandle): JsonObject {
  const previous = body.previous_response_id ?? (segment === 1 ? null : responseId({ turnId, segment: segment - 1 }));
  return {
    previous_response_id: previous,
    background: body.background === true,
    instructions: body.instructions ?? null,
    max_output_tokens: body.max_output_tokens ?? null,
    temperature: body.temperature ?? null,
    top_p: body.top_p ?? null,
    tools: body.tools ?? [],
    // For a running turn the frames decide.
    ...(segment === 1 ? { metadata: body.metadata ?? {} } : {}),
  };
}
