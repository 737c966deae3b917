import { isUtf8 } from 'node:buffer';
import { Injectable } from '@nestjs/common';
import { Ctx } from '@switchyard/contracts';
import { AppError, isJsonType, mergeFast, toAppError } from '@switchyard/kernel';
import { Logger } from '@switchyard/service';
import { requestedOutput } from '../domain/requested-output';
import { RelayBody, bodyFor, messagesIn, parseRelayBody, promptOf } from '../domain/relay-body';
import { refuseStoredState } from '../domain/allowed-paths';
import { errorEvent, relayErrorOf } from '../domain/relay-error-body';
import { dayHeaders, requestHeaders, responseHeaders } from '../domain/forwarded-headers';
import { tracedOutput, tracedText } from '../domain/traced-output';
import { StreamMeter, renameModel } from '../domain/stream-meter';
import { unavailable } from '../domain/upstream-error';
import { plausibleUsage, findUsage } from '../domain/upstream-usage';
import { CallAdmission } from '../metering/call-admission';
import { CallOutcome } from '../metering/token-reservation';
import { MeteredCall } from '../metering/metered-call';
import { ReservedUpstream } from '../upstream/reserved-upstream';
import type { UpstreamResponse } from '../upstream/upstream-client';
import type { CoalescingResponse } from './coalescing-response';
import { type ProxyRequest, notJson, typeOf } from './proxy-request';

type Events = Extract<UpstreamResponse, { kind: 'events' }>;

const STREAM_HEADERS = { 'cache-control': 'no-cache, no-transform', 'x-accel-buffering': 'no' };

/** Completions, responses and embeddings: let in, sent on, and paid by what they used. */
@Injectable()
export class MeteredProxy {
  constructor(
    private readonly admission: CallAdmission,
    private readonly upstreams: ReservedUpstream,
    private readonly logger: Logger,
  ) {}

  async handle(ctx: Ctx, request: ProxyRequest, path: string, answer: CoalescingResponse): Promise<void> {
    const body = parseRelayBody(textOf(request));
    refuseStoredState(path, body.fields);
    const output = requestedOutput(path, body.fields);
    const call = await this.admission.admit(ctx, {
      modelId: body.model,
      prompt: promptOf(body),
      path,
      output,
      attribution: { source: 'relay' },
      ...(path === 'embeddings' ? { operation: 'embeddings' } : { messages: () => messagesIn(body) }),
    });
    const opened = await this.open(ctx, request, { path, body, call });
    const day = this.admission.dayOf(ctx);
    const shown = mergeFast(responseHeaders(opened.headers), dayHeaders(day instanceof Promise ? await day : day));
    if (opened.kind === 'events')
      return this.stream(ctx, opened, { body, call, shown, answers: output.choices * output.prompts, answer });
    if (opened.kind !== 'json') throw new Error('a metered answer came as bytes');
    const { candidate, status } = opened;
    const usage = findUsage(opened.json);
    await call.settle({
      candidate,
      usage,
      written: plausibleUsage(usage) ? [] : writtenIn(opened.json),
      outcome: 'completed',
      output: () => tracedOutput(opened.json),
    });
    const whole = renameModel(opened.body, candidate.model.id);
    await answer.begin({ status, headers: mergeFast(shown, { 'content-length': String(whole.length) }) }, whole);
  }

  private async open(
    ctx: Ctx,
    request: ProxyRequest,
    sent: { path: string; body: RelayBody; call: MeteredCall },
  ): Promise<UpstreamResponse> {
    const { path, body, call } = sent;
    const headers = requestHeaders(request.headers, call.traceparent);
    try {
      const opened = await this.upstreams.open(
        call,
        ({ upstream, upstreamModel }) => ({
          spaceId: ctx.spaceId,
          method: 'POST',
          path,
          query: request.query,
          headers,
          body: bodyFor(body, {
            model: upstreamModel,
            addUsage: body.isStream && upstream.streamUsage && path.endsWith('completions'),
          }),
          expects: body.isStream ? 'events' : 'json',
        }),
        ctx.signal,
      );
      call.tokenReservation.seenTokens = 0;
      call.answered();
      return opened;
    } catch (error) {
      await call.leave(ctx.signal.aborted);
      throw error;
    }
  }

  private async stream(
    ctx: Ctx,
    opened: Events,
    {
      body,
      call,
      shown,
      answers,
      answer,
    }: {
      body: RelayBody;
      call: MeteredCall;
      shown: Record<string, string>;
      answers: number;
      answer: CoalescingResponse;
    },
  ): Promise<void> {
    const { candidate, status } = opened;
    const tap = new StreamMeter({ modelId: candidate.model.id, showUsage: body.showUsage, answers });
    let head: Record<string, string> | null = { ...shown, ...STREAM_HEADERS };
    const write = (bytes: Buffer): Promise<void> | undefined => {
      if (head === null) return answer.write(bytes);
      const headers = head;
      head = null;
      return answer.begin({ status, headers }, bytes);
    };
    const pay = (outcome: CallOutcome): Promise<unknown> =>
      call.settle({
        candidate,
        usage: tap.usage,
        written: plausibleUsage(tap.usage) ? [] : [tap.text()],
        outcome,
        output: () => tracedText(tap.text(), tap.isFinished),
      });
    try {
      for await (const events of opened.events) {
        const passed = tap.pass(events);
        call.tokenReservation.seenTokens = tap.seenTokens;
        if (tap.seenTokens > 0) opened.events.batch();
        const drained = passed.length > 0 ? write(passed) : undefined;
        if (drained) await drained;
        if (answer.isClosed) return;
      }
      // The end is sent after the call is charged, so that the client then finds it in the usage.
      await pay('completed');
      await write(tap.done);
    } catch (error) {
      if (ctx.signal.aborted) return;
      this.logger.warn(
        { err: error, upstream: candidate.upstream.name, requestId: ctx.requestId, finished: tap.isFinished },
        'a stream of an upstream ended early',
      );
      await pay(tap.isFinished ? 'completed' : 'failed');
      const shown = error instanceof AppError ? error : toAppError(unavailable(error));
      await write(Buffer.from(tap.isFinished ? 'data: [DONE]\n\n' : errorEvent(relayErrorOf(shown))));
    } finally {
      await pay('aborted');
    }
  }
}

function textOf(request: ProxyRequest): string {
  if (!isJsonType(typeOf(request.headers))) throw notJson();
  if (!isUtf8(request.body)) throw new AppError('VALIDATION_ERROR', 'The body is not valid UTF-8.');
  return request.body.toString('utf8');
}

/** The texts of a whole answer, for upstreams that give no usage. */
function writtenIn(answer: unknown): string[] {
  const found: string[] = [];
  const walk = (value: unknown, name: string, depth: number): void => {
    if (depth > 12) return;
    if (typeof value === 'string') {
      if (['content', 'text', 'arguments', 'reasoning_content', 'reasoning', 'refusal'].includes(name))
        found.push(value);
    } else if (Array.isArray(value)) for (const item of value) walk(item, name, depth + 1);
    else if (typeof value === 'object' && value !== null)
      for (const [key, item] of Object.entries(value)) walk(item, key, depth + 1);
  };
  walk(answer, '', 0);
  return found;
}
