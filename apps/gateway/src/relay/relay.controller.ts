import { Controller, Get, Post, Req, Res } from '@nestjs/common';
import type { Ctx } from '@switchyard/contracts';
import { Caller } from '../routing/caller.decorator';
import { Endpoint } from '../routing/endpoint.decorator';
import type { ApiReply, ApiRequest } from '../http/api-request';
import { RelayProxy } from './relay-proxy';

const ABOUT =
  'Bodies, streams and errors are those of the OpenAI API; errors carry the flat body of this platform beside the nested one. ' +
  '`model` is an id of the catalogue. Calls are metered on the balance of the Space.';

const ERRORS = [
  'METHOD_NOT_ALLOWED',
  'REQUEST_TOO_LARGE',
  'INSUFFICIENT_TOKENS',
  'BELOW_MINIMUM_BALANCE',
  'NOT_FOUND',
  'CONFLICT',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'DAILY_LIMIT_EXCEEDED',
  'MONTHLY_LIMIT_EXCEEDED',
  'RATE_LIMITED',
  'RUNTIME_UNAVAILABLE',
] as const;

@Controller('models/v1')
export class RelayController {
  constructor(private readonly server: RelayProxy) {}

  @Get('*')
  @Endpoint({
    operationId: 'getFromRelay',
    summary: 'OpenAI-compatible relay: models, models/{id} and other readings',
    description: ABOUT,
    access: { scope: 'models:call' },
    raw: true,
    relayed: true,
    errors: ['NOT_FOUND', 'RUNTIME_UNAVAILABLE'],
    tag: 'models',
  })
  get(@Caller() ctx: Ctx, @Req() request: ApiRequest, @Res() reply: ApiReply): Promise<void> {
    return this.server.get(ctx, request, reply);
  }

  @Post('*')
  @Endpoint({
    operationId: 'postToRelay',
    summary: 'OpenAI-compatible relay: chat/completions, completions, embeddings, responses and other calls',
    description: ABOUT,
    access: { scope: 'models:call', role: 'MEMBER' },
    raw: true,
    relayed: true,
    sse: true,
    body: 'bytes',
    errors: ERRORS,
    tag: 'models',
  })
  post(@Caller() ctx: Ctx, @Req() request: ApiRequest, @Res() reply: ApiReply): Promise<void> {
    return this.server.post(ctx, request, reply);
  }
}
