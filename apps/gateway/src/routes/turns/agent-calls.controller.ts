import { Body, Controller, Headers, Param, Post, Res } from '@nestjs/common';
import { newId } from '@switchyard/kernel';
import { AgentStreams, type Ctx } from '@switchyard/contracts';
import { Bus } from '@switchyard/messaging';
import type { FastifyReply } from 'fastify';
import { markReplayed, ok } from '../../routing/success-response';
import { Caller } from '../../routing/caller.decorator';
import { Endpoint } from '../../routing/endpoint.decorator';
import { IdPipe } from '../../routing/id.pipe';
import { TurnStreamer } from '../../turn-events/turn-streamer';
import { openTurn } from '../../turn-events/open-turn';
import { PROTOCOL_HEADER, requireStreamProtocol } from '../../turn-events/stream-protocol';
import { turnIdOfKey } from './deterministic-id';
import { findOwnTurn } from './find-own-turn';
import { executeResponse } from './execute-response';
import { TurnResults } from './turn-results';
import { ChatAnswer, ChatBody, ExecuteAnswer, ExecuteBody } from './turns.dto';
import { chatData, startChat, startExecute } from './turns.map';

@Controller('api/agents/:agentId')
export class AgentCallsController {
  constructor(
    private readonly bus: Bus,
    private readonly frames: TurnStreamer,
    private readonly results: TurnResults,
  ) {}

  @Post('chat')
  @Endpoint({
    operationId: 'chatWithAgent',
    summary: 'Chat with an agent; streamed unless `stream` is false',
    calls: AgentStreams.chat,
    sse: true,
    reply: ChatAnswer,
    errors: ['STREAM_PROTOCOL_REQUIRED'],
  })
  async chat(
    @Caller() ctx: Ctx,
    @Param('agentId', IdPipe) agentId: string,
    @Body() body: ChatBody,
    @Headers(PROTOCOL_HEADER) protocol: string | undefined,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const turnId = body.turnId?.toLowerCase() ?? newId();
    const start = startChat(agentId, turnId, body);
    if (body.stream === false) {
      void reply.send(ok('Answer.', chatData(await this.results.chat(ctx, start))));
      return;
    }
    requireStreamProtocol(protocol);
    await this.frames.send(ctx, reply, {
      agentId,
      turnId,
      after: 0,
      open: (signal) => openTurn(this.bus, ctx, { contract: AgentStreams.chat, start, signal }),
    });
  }

  @Post('execute')
  @Endpoint({
    operationId: 'executeAgent',
    summary: 'Run an agent on structured inputs; one JSON answer unless `stream` is true',
    calls: AgentStreams.execute,
    sse: true,
    raw: true,
    reply: ExecuteAnswer,
  })
  async execute(
    @Caller() ctx: Ctx,
    @Param('agentId', IdPipe) agentId: string,
    @Body() body: ExecuteBody,
    @Headers('idempotency-key') key: string | undefined,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const turnId = turnIdOfKey('execute', key);
    const start = startExecute(agentId, turnId, body);
    if (key !== undefined && (await findOwnTurn(this.bus, ctx, turnId))) markReplayed(reply);
    if (body.stream !== true) {
      void reply.send({
        success: true,
        message: 'Executed.',
        ...executeResponse(await this.results.execute(ctx, start)),
      });
      return;
    }
    await this.frames.send(ctx, reply, {
      agentId,
      turnId,
      after: 0,
      open: (signal) => openTurn(this.bus, ctx, { contract: AgentStreams.execute, start, signal }),
    });
  }
}
