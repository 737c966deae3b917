import { Body, Controller, Headers, Post, Res } from '@nestjs/common';
import type { Ctx } from '@switchyard/contracts';
import { isPlainObject } from '@switchyard/kernel';
import type { FastifyReply } from 'fastify';
import { Caller } from '../../routing/caller.decorator';
import { Endpoint } from '../../routing/endpoint.decorator';
import { ChatProjection } from './chat-projection';
import { FrameFollower } from '../../turn-events/frame-follower';
import { TurnStreamer } from '../../turn-events/turn-streamer';
import { ChatCompletionsBody } from './openai.dto';
import { metadataOf } from './metadata';
import { OpenAiTurns } from './openai-turns';
import { localToolsOf, ownOf, schemaOfFormat, settingsOf } from '../../turn-events/turn-settings-from-request';
import { readInput } from '../../turn-events/read-client-input';
import { readMessages } from './read-request-items';
import { sendCompleteResponse } from './send-complete-response';
import { CALL_ERRORS } from '../../turn-events/agent-call-errors';
import { inWordsOf } from '../../turn-events/read-json-fields';
import { refuseUnsupported } from './refuse-unsupported-fields';

/** Field names of a turn's request in terms of OpenAI's. */
const NAMES = {
  input: '(messages)',
  output: '(messages)',
  contents: '(messages)',
  history: '(messages)',
  localTools: 'tools',
  responseSchema: '(response_format.json_schema.schema)',
  settings: '(max_completion_tokens)',
};

@Controller('openai/v1/chat/completions')
export class ChatCompletionsController {
  constructor(
    private readonly turns: OpenAiTurns,
    private readonly frames: TurnStreamer,
    private readonly follower: FrameFollower,
  ) {}

  @Post()
  @Endpoint({
    operationId: 'createChatCompletion',
    summary: 'OpenAI chat completions: an agent without a session; the messages are the history of this call alone',
    access: { scope: 'agents:call' },
    raw: true,
    sse: true,
    openai: true,
    errors: CALL_ERRORS,
    tag: 'openai',
  })
  create(
    @Caller() ctx: Ctx,
    @Body() body: ChatCompletionsBody,
    @Headers('idempotency-key') key: string | undefined,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return inWordsOf(NAMES, () => this.answer(ctx, body, key, reply));
  }

  private async answer(
    ctx: Ctx,
    body: ChatCompletionsBody,
    key: string | undefined,
    reply: FastifyReply,
  ): Promise<void> {
    refuseUnsupported(body);
    metadataOf(body.metadata);
    const turn = await this.turns.start(ctx, {
      model: body.model,
      input: readInput(readMessages(body.messages), 'messages', false),
      sessionId: null,
      afterTurn: null,
      isStored: false,
      waits: true,
      metadata: {},
      own: ownOf(localToolsOf(body.tools), schemaOfFormat(body.response_format, 'response_format')),
      instructions: null,
      settings: settingsOf(body, body.max_completion_tokens ?? body.max_tokens),
      route: 'chat/completions',
      key,
    });
    const isStreamed = body.stream === true;
    const projection = new ChatProjection({
      turnId: turn.turnId,
      segment: turn.segment,
      model: body.model,
      created: Math.floor(Date.now() / 1000),
      // A repeated request may follow a stream that broke off within output that became void.
      delivery: !isStreamed ? 'whole' : turn.isAgain ? 'buffered' : 'streamed',
      includeUsage: isPlainObject(body.stream_options) && body.stream_options['include_usage'] === true,
    });
    if (isStreamed) {
      await this.frames.send(ctx, reply, { ...turn, projection });
      return;
    }
    await sendCompleteResponse(this.follower, ctx, reply, { turn, projection, body: () => projection.completion() });
  }
}
