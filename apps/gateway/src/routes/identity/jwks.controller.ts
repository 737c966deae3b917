import { Controller, Get, Header } from '@nestjs/common';
import { type Ctx, KeyCalls } from '@switchyard/contracts';
import { Bus } from '@switchyard/messaging';
import { Endpoint } from '../../routing/endpoint.decorator';
import { Jwks } from './identity.dto';
import { OptionalCaller } from '../../routing/optional-caller.decorator';

@Controller('.well-known')
export class JwksController {
  constructor(private readonly bus: Bus) {}

  @Get('jwks.json')
  @Header('cache-control', 'public, max-age=300')
  @Endpoint({
    operationId: 'getSigningKeys',
    summary: 'The public keys of access tokens',
    calls: KeyCalls.jwks,
    raw: true,
    reply: Jwks,
    tag: 'auth',
  })
  async jwks(@OptionalCaller() ctx: Ctx): Promise<Jwks> {
    return { keys: (await this.bus.call(KeyCalls.jwks, ctx, {})).keys };
  }
}
