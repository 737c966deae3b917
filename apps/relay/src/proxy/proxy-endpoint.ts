import { AsyncLocalStorage } from 'node:async_hooks';
import { hash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Injectable, OnApplicationShutdown, OnModuleDestroy, OnModuleInit } from '@nestjs/common';
import { ArraySet, noteActivity } from '@switchyard/concurrency';
import { type ProxyCallHead, type ProxyHead, type ProxyReader, RELAY_PROXY_PATH, makeCtx } from '@switchyard/contracts';
import { AppError, mergeFast, toAppError, waitUntil } from '@switchyard/kernel';
import { MessageSigner } from '@switchyard/messaging';
import { Health, InternalRoutes, Logger, MuxServer, Neighbours, type ServedCall, readBody } from '@switchyard/service';
import { RelayConfig } from '../relay.config';
import { InProcessCall } from './in-process-call';
import { type ResponseSink, HttpOut, MuxOut } from './response-sink';
import { headOfHttp } from './signed-http-request';
import { CoalescingResponse } from './coalescing-response';
import { ProxyService, answerRefusal } from './proxy.service';
import type { ProxyRequest } from './proxy-request';

const notOurs = (): AppError => new AppError('FORBIDDEN', 'The request did not come through the platform.');

const notRunning = (): AppError =>
  new AppError('SERVICE_UNAVAILABLE', 'A part of the platform is not available. Try again shortly.', {
    retryAfterSeconds: 1,
  });

const MAX_BODY = 16 * 1024 * 1024;
const LINE_FEED = 10;
const NOTHING = Buffer.alloc(0);

interface ProxyCall {
  head: ProxyCallHead;
  /** Null if it is too large. */
  body: Buffer | null;
}

/** Throws FORBIDDEN unless the body is the one that the gateway signed. */
function signedCall(head: ProxyHead, body: Buffer | null): ProxyCall {
  if (body && head.digest !== hash('sha256', body, 'base64url')) throw notOurs();
  return { head, body };
}

/**
 * Serves the calls of gateways, over connections or in the same process. Responses are sent as fast as the gateway reads
 * them.
 */
@Injectable()
export class ProxyEndpoint implements OnModuleInit, OnModuleDestroy, OnApplicationShutdown {
  private running = 0;
  private stopping = false;
  private readonly inProcess = new ArraySet<InProcessCall>();
  private readonly mux = new MuxServer(
    (call) => {
      void this.serve(new MuxOut(call), call.signal, () => this.readCall(call));
    },
    () => this.isOpen,
  );

  constructor(
    private readonly routes: InternalRoutes,
    private readonly encrypter: MessageSigner,
    private readonly proxy: ProxyService,
    private readonly logger: Logger,
    private readonly config: RelayConfig,
    private readonly neighbours: Neighbours,
    private readonly health: Health,
  ) {}

  /** Not before the start has ended: it books what ended relays have left in a journal. */
  private get isOpen(): boolean {
    return this.health.hasStarted && !this.stopping;
  }

  onModuleInit(): void {
    this.routes.addUpgrade(RELAY_PROXY_PATH, this.mux.accept);
    this.routes.add(RELAY_PROXY_PATH, (request, response) => this.handle(request, response));
    this.offerInProcess();
  }

  /** A stopping relay takes nothing new and lets what runs come to its end. */
  async onModuleDestroy(): Promise<void> {
    this.stopping = true;
    this.mux.leave();
    await waitUntil(() => this.running === 0, this.config.SHUTDOWN_GRACE_MS, 20);
  }

  onApplicationShutdown(): void {
    this.mux.close();
    for (const call of this.inProcess) {
      call.fail(notRunning());
      call.abort();
    }
  }

  private offerInProcess(): void {
    // The gateway's context has another tracer, and the span of its request.
    const inOwnContext = AsyncLocalStorage.snapshot();
    const isOpen = (): boolean => this.isOpen;
    this.neighbours.relayProxy = {
      get isOpen() {
        return isOpen();
      },
      ask: (head, body, reader) => inOwnContext(() => this.serveInProcess(head, body, reader)),
    };
  }

  private serveInProcess(head: ProxyCallHead, body: Buffer | null, reader: ProxyReader): InProcessCall {
    noteActivity();
    const call = new InProcessCall(reader);
    const whole = body ?? NOTHING;
    const slot = this.inProcess.add(call);
    void this.serve(call, call.signal, () => ({ head, body: whole.length > MAX_BODY ? null : whole })).finally(() =>
      this.inProcess.remove(slot),
    );
    return call;
  }

  /** For gateways of 0.1.0, see `headOfHttp`. */
  private handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const closed = new AbortController();
    response.once('close', () => {
      if (!response.writableFinished) closed.abort();
    });
    return this.serve(new HttpOut(response), closed.signal, async () => {
      const head = headOfHttp(this.encrypter, request);
      return signedCall(head, await readBody(request, MAX_BODY));
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
      if (!this.isOpen) throw notRunning();
      const reading = read();
      const { head, body } = reading instanceof Promise ? await reading : reading;
      if (body === null) throw new AppError('PAYLOAD_TOO_LARGE', 'The body is too large.');
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
    return body instanceof Promise ? body.then((whole) => signedCall(head, whole)) : signedCall(head, body);
  }

  private headOf(head: Buffer): ProxyHead {
    const at = head.indexOf(LINE_FEED);
    const sealed = head.subarray(at + 1);
    if (this.encrypter.check(head.toString('latin1', 0, Math.max(0, at)), RELAY_PROXY_PATH, sealed) !== 'gateway')
      throw notOurs();
    return JSON.parse(sealed.toString()) as ProxyHead;
  }
}

function requestOf({ method, target, headers }: ProxyCallHead, body: Buffer): ProxyRequest {
  const at = target.indexOf('?');
  return {
    method,
    path: at < 0 ? target : target.slice(0, at),
    query: at < 0 ? '' : target.slice(at),
    headers,
    body,
  };
}
