import { hash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Injectable, OnApplicationShutdown, OnModuleDestroy, OnModuleInit } from '@nestjs/common';
import { type ProxyHead, RELAY_PROXY_PATH, makeCtx } from '@switchyard/contracts';
import { AppError, mergeFast, toAppError, waitUntil } from '@switchyard/kernel';
import { MessageSigner } from '@switchyard/messaging';
import { InternalRoutes, Logger, MuxServer, type ServedCall, readBody } from '@switchyard/service';
import { RelayConfig } from '../relay.config';
import { type ResponseSink, HttpOut, MuxOut } from './response-sink';
import { headOfHttp } from './signed-http-request';
import { CoalescingResponse } from './coalescing-response';
import { ProxyService, answerRefusal } from './proxy.service';
import type { ProxyRequest } from './proxy-request';

const notOurs = (): AppError => new AppError('FORBIDDEN', 'The request did not come through the platform.');

const MAX_BODY = 16 * 1024 * 1024;
const LINE_FEED = 10;

interface ProxyCall {
  head: ProxyHead;
  body: Buffer | null;
}

/** Serves the gateway's calls. Responses are sent as fast as the gateway reads them. */
@Injectable()
export class ProxyEndpoint implements OnModuleInit, OnModuleDestroy, OnApplicationShutdown {
  private running = 0;
  private stopping = false;
  private readonly mux = new MuxServer((call) => {
    void this.serve(new MuxOut(call), call.signal, () => this.readCall(call));
  });

  constructor(
    private readonly routes: InternalRoutes,
    private readonly encrypter: MessageSigner,
    private readonly proxy: ProxyService,
    private readonly logger: Logger,
    private readonly config: RelayConfig,
  ) {}

  onModuleInit(): void {
    this.routes.addUpgrade(RELAY_PROXY_PATH, this.mux.accept);
    this.routes.add(RELAY_PROXY_PATH, (request, response) => this.handle(request, response));
  }

  /** A stopping relay takes nothing new and lets what runs come to its end. */
  async onModuleDestroy(): Promise<void> {
    this.stopping = true;
    this.mux.leave();
    await waitUntil(() => this.running === 0, this.config.SHUTDOWN_GRACE_MS, 20);
  }

  onApplicationShutdown(): void {
    this.mux.close();
  }

  /** For gateways of 0.1.0, see `headOfHttp`. */
  private handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const closed = new AbortController();
    response.once('close', () => {
      if (!response.writableFinished) closed.abort();
    });
    return this.serve(new HttpOut(response), closed.signal, async () => {
      const head = headOfHttp(this.encrypter, request);
      return { head, body: await readBody(request, MAX_BODY) };
    });
  }

  private async serve(
    out: ResponseSink,
    signal: AbortSignal,
    read: () => Promise<ProxyCall> | ProxyCall,
  ): Promise<void> {
    this.running += 1;
    const answer = new CoalescingResponse(out);
    try {
      if (this.stopping)
        throw new AppError('SERVICE_UNAVAILABLE', 'A part of the platform is not available. Try again shortly.', {
          retryAfterSeconds: 1,
        });
      const reading = read();
      const { head, body } = reading instanceof Promise ? await reading : reading;
      if (body === null) throw new AppError('PAYLOAD_TOO_LARGE', 'The body is too large.');
      if (head.digest !== hash('sha256', body, 'base64url')) throw notOurs();
      await this.proxy.handle(
        makeCtx(head.ctx, mergeFast(head.ctx, { signal, answer: {} })),
        requestOf(head, body),
        answer,
      );
      answer.end();
    } catch (error) {
      if (!signal.aborted && !answerRefusal(error, answer)) this.fail(out, error);
    } finally {
      this.running -= 1;
    }
  }

  private fail(out: ResponseSink, error: unknown): void {
    const shown = toAppError(error);
    if (shown.code === 'SERVER_ERROR') this.logger.error({ err: error }, 'a relayed call failed');
    out.fail(shown);
  }

  /** Throws FORBIDDEN unless the gateway signed the head for this service. */
  private readCall(call: ServedCall): Promise<ProxyCall> | ProxyCall {
    const head = this.headOf(call.head);
    const body = call.readBody(MAX_BODY);
    return body instanceof Promise ? body.then((whole) => ({ head, body: whole })) : { head, body };
  }

  private headOf(head: Buffer): ProxyHead {
    const at = head.indexOf(LINE_FEED);
    const sealed = head.subarray(at + 1);
    if (this.encrypter.check(head.toString('latin1', 0, Math.max(0, at)), RELAY_PROXY_PATH, sealed) !== 'gateway')
      throw notOurs();
    return JSON.parse(sealed.toString()) as ProxyHead;
  }
}

function requestOf({ method, target, headers }: ProxyHead, body: Buffer): ProxyRequest {
  const at = target.indexOf('?');
  return {
    method,
    path: at < 0 ? target : target.slice(0, at),
    query: at < 0 ? '' : target.slice(at),
    headers,
    body,
  };
}
