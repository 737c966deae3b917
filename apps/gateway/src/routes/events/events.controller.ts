import { Body, Controller, Param, Post, Res } from '@nestjs/common';
import { type Ctx, EmitByHandBody, EmitEvent, Emitted, EventBusCalls, checkPayloadSize } from '@switchyard/contracts';
import { Bus } from '@switchyard/messaging';
import type { FastifyReply } from 'fastify';
import { GatewayConfig } from '../../gateway.config';
import { type Success, ok } from '../../routing/success-response';
import { Caller } from '../../routing/caller.decorator';
import { Endpoint } from '../../routing/endpoint.decorator';
import { IdPipe } from '../../routing/id.pipe';

@Controller('api/events')
export class EventsController {
  constructor(
    private readonly bus: Bus,
    private readonly config: GatewayConfig,
  ) {}

  @Post('emit')
  @Endpoint({
    operationId: 'emitEvent',
    summary: 'Emit an event',
    description:
      'With the key of the application that declares it. The emission is recorded before the answer and dispatched after it. ' +
      'The same idempotency key and payload again: 200 with the first envelope, and nothing is emitted.',
    calls: EventBusCalls.emit,
    status: 202,
    also: [{ status: 200, description: 'The same emission again: the first envelope, and nothing is emitted.' }],
  })
  async emit(
    @Caller() ctx: Ctx,
    @Body() body: EmitEvent,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Success<Emitted>> {
    checkPayloadSize(body.payload, this.config.EVENT_PAYLOAD_MAX_BYTES);
    return accepted(await this.bus.call(EventBusCalls.emit, ctx, body), reply);
  }

  @Post('registered/:eventId/emit')
  @Endpoint({
    operationId: 'emitRegisteredEvent',
    summary: 'Emit an event by hand',
    description:
      "In the name of the application that declares it, with `source: 'user'` and the caller as its actor; otherwise as " +
      '`POST /api/events/emit`, checks and idempotency included.',
    calls: EventBusCalls.emitByHand,
    status: 202,
    also: [{ status: 200, description: 'The same emission again: the first envelope, and nothing is emitted.' }],
  })
  async emitByHand(
    @Caller() ctx: Ctx,
    @Param('eventId', IdPipe) id: string,
    @Body() { payload, idempotencyKey }: EmitByHandBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Success<Emitted>> {
    checkPayloadSize(payload, this.config.EVENT_PAYLOAD_MAX_BYTES);
    return accepted(await this.bus.call(EventBusCalls.emitByHand, ctx, { id, payload, idempotencyKey }), reply);
  }
}

function accepted(emitted: Emitted, reply: FastifyReply): Success<Emitted> {
  if (!emitted.duplicate) return ok('Event accepted.', emitted);
  void reply.status(200);
  return ok('Event was accepted before.', emitted);
}
