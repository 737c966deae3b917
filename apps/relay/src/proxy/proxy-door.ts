import { hash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Injectable, OnModuleDestroy, OnModuleInit } from '@nestjs/common';
import {
  type Ctx,
  type ProxyCtx,
  RELAY_PROXY_HEADERS,
  RELAY_PROXY_PATH,
  makeCtx,
  proxySealedText,
} from '@switchyard/contracts';
import { AppError, sleep, toAppError } from '@switchyard/kernel';
import { Sealer } from '@switchyard/messaging';
import { InternalRoutes, Logger, readBody } from '@switchyard/service';
import { RelayConfig } from '../relay.config';
import { PacedWriter } from './paced-writer';
import { ProxyService } from './proxy.service';
import { ProxyRequest } from './relay-frame';

const notOurs = (): AppError => new AppError('FORBIDDEN', 'The request did not come through the platform.');

const MAX_BODY = 16 * 1024 * 1024;

/** The relay's end of the road from the gateway: bytes in, bytes out, as fast as the reader takes them. */
@Injectable()
export class ProxyDoor implements OnModuleInit, OnModuleDestroy {
  private running = 0;
  private stopping = false;

  constructor(
    private readonly routes: InternalRoutes,
    private readonly sealer: Sealer,
    private readonly proxy: ProxyService,
    private readonly logger: Logger,
    private readonly config: RelayConfig,
  ) {}

  onModuleInit(): void {
    this.routes.add(RELAY_PROXY_PATH, (request, response) => this.handle(request, response));
  }

  /** A stopping relay takes nothing new and lets what runs come to its end. */
  async onModuleDestroy(): Promise<void> {
    this.stopping = true;
    const end = Date.now() + this.config.SHUTDOWN_GRACE_MS;
    while (this.running > 0 && Date.now() < end) await sleep(20);
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const gone = new AbortController();
    response.once('close', () => {
      if (!response.writableFinished) gone.abort();
    });
    this.running += 1;
    try {
      if (this.stopping)
        throw new AppError('SERVICE_UNAVAILABLE', 'A part of the platform is not available. Try again shortly.', {
          retryAfterSeconds: 1,
        });
      const ctx = this.callerOf(request, gone.signal);
      await this.answer(response, ctx, await this.readRequest(request));
    } catch (error) {
      this.fail(response, error, gone.signal);
    } finally {
      this.running -= 1;
    }
  }

  private async answer(response: ServerResponse, ctx: Ctx, request: ProxyRequest): Promise<void> {
    const writer = new PacedWriter(response);
    for await (const { head, bytes } of this.proxy.handle(ctx, request)) {
      if (response.destroyed) return;
      if (head) response.writeHead(head.status, head.headers);
      if (head && bytes.byteLength === 0) response.flushHeaders();
      else if (bytes.byteLength > 0) await writer.write(bytes);
    }
    void writer.flush();
    response.end();
  }

  private fail(response: ServerResponse, error: unknown, gone: AbortSignal): void {
    if (gone.aborted) return;
    const shown = toAppError(error);
    if (shown.code === 'SERVER_ERROR') this.logger.error({ err: error }, 'a relayed call failed');
    if (response.headersSent) {
      response.destroy();
      return;
    }
    response.writeHead(shown.status, { 'content-type': 'application/json', [RELAY_PROXY_HEADERS.error]: shown.code });
    response.end(JSON.stringify(shown));
  }

  /** Only what the gateway sealed for this service is believed. */
  private callerOf(request: IncomingMessage, signal: AbortSignal): Ctx {
    let ctx: ProxyCtx;
    try {
      ctx = JSON.parse(
        Buffer.from(String(request.headers[RELAY_PROXY_HEADERS.ctx]), 'base64url').toString(),
      ) as ProxyCtx;
    } catch {
      throw notOurs();
    }
    if (this.senderOf(request, ctx) !== 'gateway') throw notOurs();
    return makeCtx(ctx, { ...ctx, signal, answer: {} });
  }

  private senderOf({ headers }: IncomingMessage, ctx: ProxyCtx): string {
    const seal = headers[RELAY_PROXY_HEADERS.seal];
    return typeof seal === 'string'
      ? this.sealer.check(seal, RELAY_PROXY_PATH, Buffer.from(proxySealedText(headers)))
      : this.sealer.checkIdentity(ctx, ctx.seal, 'relay');
  }

  private async readRequest(request: IncomingMessage): Promise<ProxyRequest> {
    const { headers } = request;
    const body = await readBody(request, MAX_BODY);
    if (body === null) throw new AppError('PAYLOAD_TOO_LARGE', 'The body is too large.');
    const isSealed = headers[RELAY_PROXY_HEADERS.seal] !== undefined;
    if (isSealed && headers[RELAY_PROXY_HEADERS.digest] !== hash('sha256', body, 'base64url')) throw notOurs();
    const target = String(headers[RELAY_PROXY_HEADERS.target]);
    const at = target.indexOf('?');
    return {
      method: headers[RELAY_PROXY_HEADERS.method] === 'GET' ? 'GET' : 'POST',
      path: at < 0 ? target : target.slice(0, at),
      query: at < 0 ? '' : target.slice(at),
      headers,
      body,
    };
  }
}
