import { Injectable } from '@nestjs/common';
import { type Ctx, type ModelView, RelayCalls, RelayStreams, unpackProxyHead } from '@switchyard/contracts';
import { AppError } from '@switchyard/kernel';
import { Bus, type StreamReader } from '@switchyard/messaging';
import { Logger } from '@switchyard/service';
import { OpenStreams } from '../auth/open-streams';
import { relayErrorBody } from '../http/error-body';
import type { GateReply, GateRequest } from '../http/request';
import { rateHeaders, sendBytes } from './relay-answer';
import { asksForStream, proxyRequest } from './relay-request';

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

/** The door of the relay: lists models, and carries everything else to the relay service and back, byte for byte. */
@Injectable()
export class RelayDoor {
  constructor(
    private readonly bus: Bus,
    private readonly streams: OpenStreams,
    private readonly logger: Logger,
  ) {}

  async get(ctx: Ctx, request: GateRequest, reply: GateReply): Promise<void> {
    const proxied = proxyRequest(request, 'GET');
    if (proxied.path === 'models') {
      const { items } = await this.bus.call(RelayCalls.listModels, ctx, {});
      this.sendJson(reply, { object: 'list', data: items.map(listed) });
    } else if (proxied.path.startsWith('models/')) {
      this.sendJson(reply, listed(await this.bus.call(RelayCalls.getModel, ctx, { id: proxied.path.slice('models/'.length) })));
    } else await this.carry(ctx, request, reply, 'GET');
  }

  post(ctx: Ctx, request: GateRequest, reply: GateReply): Promise<void> {
    return this.carry(ctx, request, reply, 'POST');
  }

  private sendJson(reply: GateReply, body: object): void {
    void reply.headers(rateHeaders(reply)).type('application/json; charset=utf-8').send(JSON.stringify(body));
  }

  private async carry(ctx: Ctx, request: GateRequest, reply: GateReply, method: 'GET' | 'POST'): Promise<void> {
    const gone = new AbortController();
    const onClose = (): void => {
      if (!reply.raw.writableFinished) gone.abort();
    };
    reply.raw.once('close', onClose);
    const leave = asksForStream(request) ? this.streams.enter(ctx, (reason) => this.cut(reply, gone, reason)) : undefined;
    try {
      const reader = await this.bus.stream(RelayStreams.proxy, ctx, proxyRequest(request, method), { signal: gone.signal });
      await this.answer(reply, reader, gone.signal);
    } catch (error) {
      if (gone.signal.aborted) return void reply.raw.destroy();
      if (!reply.raw.headersSent) throw error;
      this.logger.warn({ err: error, requestId: ctx.requestId }, 'a relayed answer broke off');
      reply.raw.destroy();
    } finally {
      leave?.();
      reply.raw.off('close', onClose);
    }
  }

  private async answer(reply: GateReply, reader: StreamReader<Uint8Array>, gone: AbortSignal): Promise<void> {
    const isThere = await reader.more();
    if (gone.aborted) return void reply.raw.destroy();
    const [first, ...more] = isThere ? reader.takeReady() : [];
    if (!first) throw new AppError('RUNTIME_UNAVAILABLE', 'The model is not available at the moment. Try again shortly.');
    const { head, body } = unpackProxyHead(first);
    if (head.isWhole) {
      void reply.status(head.status).headers({ ...rateHeaders(reply), ...head.headers }).send(Buffer.from(body.buffer, body.byteOffset, body.byteLength));
      return;
    }
    await sendBytes(reply, head, more.length === 0 ? body : Buffer.concat([body, ...more]), reader);
  }

  /** The credential was revoked: the stream says so in the way of its format, and ends. */
  private cut(reply: GateReply, gone: AbortController, reason: AppError): void {
    if (reply.raw.headersSent && !reply.raw.writableEnded) reply.raw.end(`data: ${JSON.stringify(relayErrorBody(reason))}\n\n`);
    gone.abort();
  }
}
