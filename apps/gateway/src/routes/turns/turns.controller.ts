import { Body, Controller, Get, Headers, Param, Post, Query, Res } from '@nestjs/common';
import { AppError, isPlainObject } from '@switchyard/kernel';
import { AgentCalls, AgentStreams, type Ctx, SessionCalls, TurnView } from '@switchyard/contracts';
import { Bus } from '@switchyard/messaging';
import type { FastifyReply } from 'fastify';
import { ok } from '../../routing/success-response';
import { Caller } from '../../routing/caller.decorator';
import { Endpoint } from '../../routing/endpoint.decorator';
import { IdPipe } from '../../routing/id.pipe';
import { TurnStreamer } from '../../turn-events/turn-streamer';
import { PROTOCOL_HEADER, requireStreamProtocol } from '../../turn-events/stream-protocol';
import { AttachQuery, CancelBody, ResumeBody, ToolResultBody } from './turns.dto';
import { afterOf, turnView } from './turns.map';

@Controller('api/agents/:agentId/turns/:turnId')
export class TurnsController {
  constructor(
    private readonly bus: Bus,
    private readonly frames: TurnStreamer,
  ) {}

  @Get()
  @Endpoint({ operationId: 'getTurn', summary: 'Read a turn', calls: SessionCalls.getTurn, reply: TurnView })
  async get(@Caller() ctx: Ctx, @Param('agentId', IdPipe) agentId: string, @Param('turnId', IdPipe) turnId: string) {
    const turn = await this.bus.call(SessionCalls.getTurn, ctx, { agentId, turnId });
    if (turn.isUnstored) throw new AppError('NOT_FOUND', 'Turn not found.');
    return ok('Turn.', turnView(turn));
  }

  @Get('stream')
  @Endpoint({
    operationId: 'streamTurn',
    summary: 'Stream a turn: the stored frames after a number, then the new ones',
    calls: AgentStreams.attach,
    sse: true,
    raw: 'text/event-stream',
  })
  async attach(
    @Caller() ctx: Ctx,
    @Param('agentId', IdPipe) agentId: string,
    @Param('turnId', IdPipe) turnId: string,
    @Query() query: AttachQuery,
    @Headers('last-event-id') lastEventId: string | undefined,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const after = afterOf(query.after, lastEventId);
    await this.frames.send(ctx, reply, {
      agentId,
      turnId,
      after,
      open: (signal) => this.bus.stream(AgentStreams.attach, ctx, { agentId, turnId, after }, { signal }),
    });
  }

  @Post('resume')
  @Endpoint({
    operationId: 'resumeTurn',
    summary: 'Answer a question of a turn and stream what follows',
    calls: AgentStreams.resume,
    sse: true,
    errors: ['STREAM_PROTOCOL_REQUIRED'],
  })
  async resume(
    @Caller() ctx: Ctx,
    @Param('agentId', IdPipe) agentId: string,
    @Param('turnId', IdPipe) turnId: string,
    @Body() body: ResumeBody,
    @Headers(PROTOCOL_HEADER) protocol: string | undefined,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    requireStreamProtocol(protocol);
    const { sessionId, interactionId, selectedOptionIds, otherText } = body;
    const answer = { agentId, turnId, sessionId, interactionId, selectedOptionIds, otherText: otherText ?? null };
    await this.frames.send(ctx, reply, {
      agentId,
      turnId,
      after: 0,
      open: (signal) => this.bus.stream(AgentStreams.resume, ctx, answer, { signal }),
      instead: (text) => {
        const { data } = JSON.parse(text) as { data: unknown };
        const fields = isPlainObject(data) ? data : {};
        const isFirst = fields['idempotent'] === false;
        void reply.status(200).send(ok(isFirst ? 'Answered.' : 'This question was answered already.', fields));
      },
    });
  }

  @Post('cancel')
  @Endpoint({ operationId: 'cancelTurn', summary: 'Cancel a turn in any phase', calls: AgentCalls.cancelTurn })
  async cancel(
    @Caller() ctx: Ctx,
    @Param('agentId', IdPipe) agentId: string,
    @Param('turnId', IdPipe) turnId: string,
    @Body() body: CancelBody,
  ) {
    const outcome = await this.bus.call(AgentCalls.cancelTurn, ctx, {
      agentId,
      turnId,
      ...(body.sessionId ? { sessionId: body.sessionId } : {}),
    });
    return ok(
      outcome.status === 'CANCELLING' ? 'The turn is being cancelled.' : 'The turn had ended already.',
      outcome,
    );
  }

  @Post('tool-results')
  @Endpoint({
    operationId: 'submitToolResult',
    summary: 'Submit the result of a local tool',
    calls: AgentCalls.submitToolResult,
  })
  async toolResult(
    @Caller() ctx: Ctx,
    @Param('agentId', IdPipe) agentId: string,
    @Param('turnId', IdPipe) turnId: string,
    @Body() body: ToolResultBody,
  ) {
    const { sessionId, callId, result, error } = body;
    const outcome = await this.bus.call(AgentCalls.submitToolResult, ctx, {
      agentId,
      turnId,
      callId,
      ...(sessionId ? { sessionId } : {}),
      ...(result === undefined ? {} : { result }),
      ...(error === undefined ? {} : { error }),
    });
    return ok('Result taken.', outcome);
  }
}
