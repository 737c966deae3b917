import { Body, Controller, Get, Param, Post, Put } from '@nestjs/common';
import {
  ApiKeyView,
  ApiKeyWithValue,
  CreateApiKey,
  type Ctx,
  KeyCalls,
  KeyUsage,
  KeyValidity,
  RelayCalls,
  UpdateApiKeyBody,
  ValidateApiKeyBody,
  isKeyShaped,
} from '@switchyard/contracts';
import { Bus } from '@switchyard/messaging';
import { ok, type Success } from '../endpoint/answers';
import { Caller } from '../endpoint/caller.decorator';
import { Endpoint } from '../endpoint/endpoint.decorator';
import { IdPipe } from '../endpoint/id.pipe';
import { refuseUnknown } from './refuse-unknown';

@Controller('api/api-keys')
export class ApiKeysController {
  constructor(private readonly bus: Bus) {}

  @Post()
  @Endpoint({
    summary: 'Create an API key',
    description:
      'The answer shows the value, this once. A key cannot make a key that holds more, or lives longer, than itself; its own limits hold where it names none.',
    calls: KeyCalls.createApiKey,
    status: 201,
    errors: ['NOT_FOUND'],
  })
  async create(@Caller() ctx: Ctx, @Body() body: CreateApiKey): Promise<Success<ApiKeyWithValue>> {
    await refuseUnknown(this.bus, ctx, body.limits);
    return ok(
      'API key created. Keep the value: it is not shown again.',
      await this.bus.call(KeyCalls.createApiKey, ctx, body),
    );
  }

  @Post('validate')
  @Endpoint({
    summary: 'Check whether a key is an active one of this Space',
    description:
      'Every other key, whatever the reason, is `{valid: false}` and nothing else. 30 per minute and caller.',
    calls: KeyCalls.validateApiKey,
    anyText: true,
  })
  async validate(@Caller() ctx: Ctx, @Body() body: ValidateApiKeyBody): Promise<Success<KeyValidity>> {
    // What no key can be is not carried on, and counts all the same.
    const key = isKeyShaped(body.key) ? body.key : '';
    return ok('Checked.', await this.bus.call(KeyCalls.validateApiKey, ctx, { key }));
  }

  @Get(':keyId/usage')
  @Endpoint({
    summary: 'Read what an API key has used of its token limits',
    description: 'Today and this month (UTC), and what running calls hold. `cap` is null without a limit.',
    calls: KeyCalls.getApiKey,
    reply: KeyUsage,
  })
  async usage(@Caller() ctx: Ctx, @Param('keyId', IdPipe) id: string): Promise<Success<KeyUsage>> {
    const { limits } = await this.bus.call(KeyCalls.getApiKey, ctx, { id });
    return ok('The usage of the API key.', await this.bus.call(RelayCalls.keyUsage, ctx, { keyId: id, limits }));
  }

  @Put(':keyId')
  @Endpoint({
    summary: 'Change the name, description, expiry, scopes or limits of an API key',
    description:
      'Only the given fields change, each limit by itself; null removes a limit. Scopes can only shrink: more is 403. ' +
      'A key cannot give another key, or itself, more than it has.',
    calls: KeyCalls.updateApiKey,
  })
  async update(
    @Caller() ctx: Ctx,
    @Param('keyId', IdPipe) id: string,
    @Body() body: UpdateApiKeyBody,
  ): Promise<Success<ApiKeyView>> {
    const { name, description, expiresAt, scopes, limits } = body;
    if (limits?.agents)
      await refuseUnknown(this.bus, ctx, limits, (await this.bus.call(KeyCalls.getApiKey, ctx, { id })).limits);
    return ok(
      'API key changed.',
      await this.bus.call(KeyCalls.updateApiKey, ctx, { id, name, description, expiresAt, scopes, limits }),
    );
  }
}
