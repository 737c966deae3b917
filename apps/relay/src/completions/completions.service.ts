import { Injectable } from '@nestjs/common';
import { CompleteRequest, CompletionFrame, Ctx, PreflightReply, PreflightRequest } from '@switchyard/contracts';
import { AppError, failpoint } from '@switchyard/kernel';
import { FrameBatch } from '@switchyard/messaging';
import { Logger } from '@switchyard/service';
import { completionBody } from '../domain/completion-request-body';
import { CompletionEvents } from '../domain/completion-events';
import { CompletionReader } from '../domain/completion-reader';
import { mapUpstreamError, unavailable } from '../domain/upstream-error';
import { CallAdmission } from '../metering/call-admission';
import { MeteredCall } from '../metering/metered-call';
import type { EventPieces } from '../upstream/response-body';
import { ReservedUpstream } from '../upstream/reserved-upstream';
import { BatchedStreamReads } from '../upstream/batched-stream-reads';
import type { UpstreamResponse } from '../upstream/upstream-client';
import { UpstreamRefused } from '../upstream/upstream-errors';

/** Model calls of the platform's own services. */
@Injectable()
export class CompletionsService {
  constructor(
    private readonly admission: CallAdmission,
    private readonly upstreams: ReservedUpstream,
    private readonly reads: BatchedStreamReads,
    private readonly logger: Logger,
  ) {}

  async preflight(ctx: Ctx, request: PreflightRequest): Promise<PreflightReply> {
    const { model, estimatedTokens, requestTokenCap, ample } = await this.admission.preflight(ctx, {
      modelId: request.model,
      fallbackModels: request.fallbackModels,
      prompt: [request.messages ?? [], request.tools ?? []],
      output: { maxTokens: request.maxTokens, choices: 1, prompts: 1 },
    });
    const { contextWindow, maxOutputTokens } = model;
    return { estimatedTokens, contextWindow, maxOutputTokens, requestTokenCap, ...(ample ? { ample } : {}) };
  }

  async *complete(ctx: Ctx, request: CompleteRequest): AsyncGenerator<CompletionFrame | FrameBatch<CompletionFrame>> {
    const call = await this.admission.admit(ctx, {
      modelId: request.model,
      fallbackModels: request.fallbackModels,
      prompt: [request.messages, request.tools ?? []],
      output: { maxTokens: request.settings?.maxTokens, choices: 1, prompts: 1 },
      attribution: request.attribution,
      requestKey: request.requestKey,
      messages: () => request.messages,
    });
    const opened = await this.open(ctx, request, call);
    const reader = new CompletionReader();
    try {
      if (opened.kind === 'json') yield* reader.read(opened.json);
      else {
        const events = new CompletionEvents(reader);
        const pieces = eventsOf(opened);
        for await (const piece of pieces) {
          const { frames, failure } = events.framesOf(piece, this.reads.areBatched);
          // Send the output received before the failure first.
          yield new FrameBatch(frames);
          if (failure) throw failure;
          call.tokenReservation.seenTokens = reader.seenTokens;
          if (reader.seenTokens > 0) pieces.batch();
        }
        if (reader.finishReason === null && reader.usage === null)
          throw unavailable(new Error('the stream ended without a finish'));
      }
      yield* reader.toolCalls();
      await failpoint('relay.answered');
      const usage = await call.settle({
        candidate: opened.candidate,
        usage: reader.usage,
        written: reader.allWritten(),
        outcome: 'completed',
        output: () => reader.output(),
      });
      await failpoint('relay.settled');
      yield { kind: 'done', finishReason: reader.finishReason ?? 'stop', usage, model: opened.candidate.model.id };
    } catch (error) {
      if (!ctx.signal.aborted)
        this.logger.warn(
          { err: error, upstream: opened.candidate.upstream.name, requestId: ctx.requestId },
          'a model call ended early',
        );
      throw error instanceof AppError ? error : unavailable(error);
    } finally {
      // Settled already when all went well: then this does nothing.
      await call.settle({
        candidate: opened.candidate,
        usage: reader.usage,
        written: reader.allWritten(),
        outcome: ctx.signal.aborted ? 'aborted' : 'failed',
        output: () => reader.output(),
      });
    }
  }

  private async open(ctx: Ctx, request: CompleteRequest, call: MeteredCall): Promise<UpstreamResponse> {
    try {
      const opened = await this.upstreams.open(
        call,
        ({ upstream, upstreamModel }) => ({
          spaceId: ctx.spaceId,
          method: 'POST',
          path: 'chat/completions',
          query: '',
          headers: {
            'content-type': 'application/json',
            accept: 'text/event-stream',
            ...traceHeader(call.traceparent ?? ctx.traceparent),
          },
          body: completionBody(request, { model: upstreamModel, streamUsage: upstream.streamUsage }),
          expects: 'events',
        }),
        ctx.signal,
      );
      call.tokenReservation.seenTokens = 0;
      call.answered();
      return opened;
    } catch (error) {
      await call.leave(ctx.signal.aborted);
      throw refusalOf(error);
    }
  }
}

function eventsOf(opened: UpstreamResponse): EventPieces {
  if (opened.kind !== 'events') throw new Error('a completion came as bytes');
  return opened.events;
}

const traceHeader = (traceparent: string | undefined): Record<string, string> =>
  traceparent === undefined ? {} : { traceparent };

/**
 * To the platform's own services an upstream's refusal is a failed model, with two exceptions: 429 can be waited for,
 * and a request that the model itself has refused would be refused again.
 */
export function refusalOf(error: unknown): unknown {
  if (!(error instanceof UpstreamRefused)) return error;
  const refused = mapUpstreamError(error.answer, new Date());
  if (refused.code === 'RATE_LIMITED')
    return new AppError('RATE_LIMITED', refused.message, {
      retryAfterSeconds: refused.retryAfterSeconds,
      cause: error,
    });
  const code = refused.code === 'RUNTIME_UNAVAILABLE' ? refused.code : 'VALIDATION_ERROR';
  return new AppError(code, `The model refused the request: ${refused.message}`, { cause: error });
}
