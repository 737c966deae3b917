import { Injectable } from '@nestjs/common';
import { type Ctx, type ModelView, RelayCalls } from '@switchyard/contracts';
import { AppError } from '@switchyard/kernel';
import { Bus } from '@switchyard/messaging';
import { Logger } from '@switchyard/service';
import { OpenStreams } from '../auth/open-streams';
import { relayErrorBody } from '../http/error-body';
import type { GateReply, GateRequest } from '../http/request';
import { rateHeaders, sendAnswer } from './relay-answer';
import { RelayRoad } from './relay-road';

const MODELS = /^\/models\/v1\/models(?:\/([^?]+))?(?:\?.*)?$/;
const CATALOGUE = /^\/models\/v1\/models(?:[/?]|$)/;
const STREAM = /"stream"\s*:\s*true/;
const CREATED = 1_767_225_600;

/** A model as OpenAI's clients read it, with what they can plan with beside it. */
const listed = (model: ModelView): object => ({
  id: model.id,
  object: 'model',
  created: CREATED,
  owned_by: model.ownedBy,
  context_window: model.contextWindow,
  max_output_tokens: model.maxOutputTokens,
  capabilities: model.capabilities,
  pricing: { input: model.inputPrice, output: model.outputPrice },
});

/** Whether the caller asks for a stream: those are counted while they are open. */
function asksForStream({ body }: GateRequest): boolean {
  return Buffer.isBuffer(body) && body.includes('"stream"') && STREAM.test(body.toString('latin1'));
}

/** The door of the relay: lists models, and carries everything else to the relay service and back, byte for byte. */
@Injectable()
export class RelayDoor {
  constructor(
    private readonly bus: Bus,
    private readonly road: RelayRoad,
    private readonly streams: OpenStreams,
    private readonly logger: Logger,
  ) {}

  async get(ctx: Ctx, request: GateRequest, reply: GateReply): Promise<void> {
    const models = MODELS.exec(request.url);
    if (!models) return this.carry(ctx, request, reply, 'GET');
    const id = models[1] === undefined ? undefined : decodeURIComponent(models[1]);
    if (id !== undefined) this.sendJson(reply, listed(await this.bus.call(RelayCalls.getModel, ctx, { id })));
    else
      this.sendJson(reply, {
        object: 'list',
        data: (await this.bus.call(RelayCalls.listModels, ctx, {})).items.map(listed),
      });
  }

  async post(ctx: Ctx, request: GateRequest, reply: GateReply): Promise<void> {
    if (CATALOGUE.test(request.url))
      throw new AppError('METHOD_NOT_ALLOWED', 'The catalogue of models is only read: use GET.', {
        headers: { allow: 'GET' },
      });
    return this.carry(ctx, request, reply, 'POST');
  }

  private sendJson(reply: GateReply, body: object): void {
    void reply.headers(rateHeaders(reply)).type('application/json; charset=utf-8').send(JSON.stringify(body));
  }

  private async carry(ctx: Ctx, request: GateRequest, reply: GateReply, method: 'GET' | 'POST'): Promise<void> {
    const { raw } = reply;
    const gone = new AbortController();
    const onClose = (): void => {
      if (!raw.writableFinished) gone.abort();
    };
    raw.once('close', onClose);
    const leave = asksForStream(request)
      ? this.streams.enter(ctx, (reason) => this.cut(reply, gone, reason))
      : undefined;
    try {
      await sendAnswer(reply, await this.road.send(ctx, request, method, gone.signal));
    } catch (error) {
      if (!gone.signal.aborted && !raw.headersSent) throw error;
      if (!gone.signal.aborted)
        this.logger.warn({ err: error, requestId: ctx.requestId }, 'a relayed answer broke off');
      if (!raw.writableEnded) raw.destroy();
    } finally {
      leave?.();
      raw.off('close', onClose);
    }
  }

  /** The credential was revoked: the stream says so in the way of its format, and ends. */
  private cut(reply: GateReply, gone: AbortController, reason: AppError): void {
    if (reply.raw.headersSent && !reply.raw.writableEnded)
      reply.raw.end(`data: ${JSON.stringify(relayErrorBody(reason))}\n\n`);
    gone.abort();
  }
}
