import { Injectable } from '@nestjs/common';
import { type Ctx, type ModelView, RelayCalls } from '@switchyard/contracts';
import { AppError } from '@switchyard/kernel';
import { Bus } from '@switchyard/messaging';
import { Logger } from '@switchyard/service';
import { ActiveResponses } from '../auth/active-responses';
import { Principals } from '../auth/principals';
import { letGoOfBody } from '../http/body/body-reader';
import { readJson } from '../http/body/request-body';
import { relayErrorBody } from '../http/error-body';
import { CATALOGUE } from '../http/request-path';
import type { ApiReply, ApiRequest } from '../http/api-request';
import { rateHeaders, sendAnswer } from './forward-relay-response';
import { DisconnectSignal } from './disconnect-signal';
import { RelayClient } from './relay-client';
import type { RelayedAnswer } from './relay-response-stream';

const MODELS = /^\/models\/v1\/models(?:\/([^?]+))?(?:\?.*)?$/;
const STREAM = /"stream"\s*:\s*true/;
const PARSED_BYTES = 256 * 1024;
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

/**
 * Whether the caller asks for a stream: those are counted while they are open. A name may be written with escapes, and
 * then only the parsed body tells.
 */
function asksForStream({ body }: ApiRequest): boolean {
  if (!Buffer.isBuffer(body)) return false;
  if (body.includes('"stream"') && STREAM.test(body.toString('latin1'))) return true;
  // Of a large body the answer will tell: it is not parsed for this alone.
  if (body.length > PARSED_BYTES || !body.includes('\\u')) return false;
  try {
    return (readJson(body) as { stream?: unknown } | null)?.stream === true;
  } catch {
    return false;
  }
}

const isEventStream = ({ head }: RelayedAnswer): boolean =>
  head.headers['content-type']?.startsWith('text/event-stream') === true;

/** As the relay says it of a model that is not there: a key's limits do not tell what else there is. */
const unknownModel = (id: string): AppError =>
  new AppError(
    'NOT_FOUND',
    `There is no model ${JSON.stringify(id.slice(0, 200))}. GET /models/v1/models lists what there is.`,
  );

/** The door of the relay: lists models, and carries everything else to the relay service and back, byte for byte. */
@Injectable()
export class RelayProxy {
  constructor(
    private readonly bus: Bus,
    private readonly client: RelayClient,
    private readonly streams: ActiveResponses,
    private readonly principals: Principals,
    private readonly logger: Logger,
  ) {}

  async get(ctx: Ctx, request: ApiRequest, reply: ApiReply): Promise<void> {
    const models = MODELS.exec(request.url);
    if (!models) return this.carry(ctx, request, reply, 'GET');
    const id = models[1] === undefined ? undefined : decodeURIComponent(models[1]);
    const allowed = this.principals.limitsOf(ctx).models;
    if (id !== undefined && allowed?.includes(id) === false) throw unknownModel(id);
    if (id !== undefined) this.sendJson(reply, listed(await this.bus.call(RelayCalls.getModel, ctx, { id })));
    else
      this.sendJson(reply, {
        object: 'list',
        data: (await this.bus.call(RelayCalls.listModels, ctx, {})).items
          .filter((model) => allowed?.includes(model.id) !== false)
          .map(listed),
      });
  }

  post(ctx: Ctx, request: ApiRequest, reply: ApiReply): Promise<void> {
    if (CATALOGUE.test(request.url))
      throw new AppError('METHOD_NOT_ALLOWED', 'The catalogue of models is only read: use GET.', {
        headers: { allow: 'GET, HEAD' },
      });
    return this.carry(ctx, request, reply, 'POST');
  }

  private sendJson(reply: ApiReply, body: object): void {
    void reply.headers(rateHeaders(reply)).type('application/json; charset=utf-8').send(JSON.stringify(body));
  }

  private async carry(ctx: Ctx, request: ApiRequest, reply: ApiReply, method: 'GET' | 'POST'): Promise<void> {
    const { raw } = reply;
    const disconnect = new DisconnectSignal();
    const onClose = (): void => {
      if (!raw.writableFinished) disconnect.leave();
    };
    raw.once('close', onClose);
    let isStream = false;
    const cut = (reason: AppError): void => {
      if (isStream && raw.headersSent && !raw.writableEnded)
        raw.end(`data: ${JSON.stringify(relayErrorBody(reason))}\n\n`);
      disconnect.leave(reason);
    };
    // Each answer ends with its credential, streams or not; a stream takes a place before it is opened.
    const isCounted = asksForStream(request);
    let leave = isCounted ? this.streams.enter(ctx, cut) : this.streams.follow(ctx, cut);
    try {
      const answer = await this.client.send(ctx, request, method, disconnect);
      isStream = isEventStream(answer);
      if (isStream && !isCounted) {
        leave();
        leave = this.enterLate(ctx, answer, cut);
      }
      const sending = sendAnswer(reply, answer);
      if (sending) await sending;
      if (disconnect.isDisconnected && !raw.writableEnded) raw.destroy();
    } catch (error) {
      const reason: unknown = disconnect.isDisconnected ? disconnect.reason : error;
      if (!raw.headersSent && (reason instanceof AppError || !disconnect.isDisconnected)) throw reason;
      if (!disconnect.isDisconnected)
        this.logger.warn({ err: error, requestId: ctx.requestId }, 'a relayed response ended early');
      if (!raw.writableEnded) raw.destroy();
    } finally {
      leave();
      letGoOfBody(request);
      raw.off('close', onClose);
    }
  }

  /** A stream that nothing in the request announced: without a place it is not read further. */
  private enterLate(ctx: Ctx, answer: RelayedAnswer, cut: (reason: AppError) => void): () => void {
    try {
      return this.streams.enter(ctx, cut);
    } catch (error) {
      answer.drop();
      throw error;
    }
  }
}
