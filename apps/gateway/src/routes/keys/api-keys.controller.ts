import { Body, Controller, Get, Param, Post } from '@nestjs/common';
import {
  type Ctx,
  KeyCalls,
  KeyUsage,
  KeyValidity,
  RelayCalls,
  ValidateApiKeyBody,
  isKeyShaped,
} from '@switchyard/contracts';
import { Bus } from '@switchyard/messaging';
import { ok, type Success } from '../../routing/success-response';
import { Caller } from '../../routing/caller.decorator';
import { Endpoint } from '../../routing/endpoint.decorator';
import { IdPipe } from '../../routing/id.pipe';

@Controller('api/api-keys')
export class ApiKeysController {
  constructor(private readonly bus: Bus) {}

  @Post('validate')
  @Endpoint({
    operationId: 'validateApiKey',
    summary: 'Check whether a key is an active one of this Space',
    description: 'Every other key is `{valid: false}`, without a reason. 30 per minute and caller.',
    calls: KeyCalls.validateApiKey,
    anyText: true,
  })
  async validate(@Caller() ctx: Ctx, @Body() body: ValidateApiKeyBody): Promise<Success<KeyValidity>> {
    // A malformed key is not looked up, and counts for the rate limit.
    const key = isKeyShaped(body.key) ? body.key : '';
    return ok('Checked.', await this.bus.call(KeyCalls.validateApiKey, ctx, { key }));
  }

  @Get(':keyId/usage')
  @Endpoint({
    operationId: 'getApiKeyUsage',
    summary: 'Read what an API key has used of its token limits',
    description: 'Today and this month (UTC), and what running calls hold. `cap` is null without a limit.',
    calls: KeyCalls.getApiKey,
    reply: KeyUsage,
  })
  async usage(@Caller() ctx: Ctx, @Param('keyId', IdPipe) id: string): Promise<Success<KeyUsage>> {
    const { limits } = await this.bus.call(KeyCalls.getApiKey, ctx, { id });
    return ok('The usage of the API key.', await this.bus.call(RelayCalls.keyUsage, ctx, { keyId: id, limits }));
  }
}
