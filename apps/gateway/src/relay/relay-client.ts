import { hash } from 'node:crypto';
import { Injectable, OnApplicationShutdown } from '@nestjs/common';
import { carriedCtx, type Ctx, type ProxyHead, RELAY_PROXY_PATH } from '@switchyard/contracts';
import { MessageSigner } from '@switchyard/messaging';
import { type ClientConnection, MuxConnectionPool, MuxNotSupported } from '@switchyard/service';
import { GatewayConfig } from '../gateway.config';
import { refuseEncoded } from '../http/body/request-body';
import type { ApiRequest } from '../http/api-request';
import type { DisconnectSignal } from './disconnect-signal';
import { HttpFallback } from './http-fallback';
import { notAvailable } from './relay-unavailable-error';
import type { RelayedAnswer } from './relay-response-stream';
import { RelayResponse } from './relay-response';

const PREFIX = '/models/v1/';
/** Request headers forwarded to an upstream. */
const HEADERS = ['content-type', 'accept', 'openai-beta', 'traceparent'];
/** A relay that does not speak frames is asked again whether it does: it may have been replaced. */
const ASK_AGAIN_MS = 5_000;

/**
 * The gateway's end of the road to the relay: the caller's bytes with a sealed context, and the answer as it arrives.
 */
@Injectable()
export class RelayClient implements OnApplicationShutdown {
  private readonly client: MuxConnectionPool | null;
  private readonly plain: HttpFallback | null;
  private plainUntil = 0;

  constructor(
    private readonly encrypter: MessageSigner,
    config: GatewayConfig,
  ) {
    const url = config.INTERNAL_URLS['relay'];
    this.plain = url === undefined ? null : new HttpFallback(url, encrypter);
    this.client = url?.startsWith('http:') ? new MuxConnectionPool(new URL(url), RELAY_PROXY_PATH) : null;
  }

  send(ctx: Ctx, request: ApiRequest, method: 'GET' | 'POST', disconnect: DisconnectSignal): Promise<RelayedAnswer> {
    refuseEncoded(request.headers);
    const body = Buffer.isBuffer(request.body) ? request.body : null;
    const head: ProxyHead = {
      ctx: carriedCtx(ctx),
      method,
      target: request.url.slice(PREFIX.length),
      digest: hash('sha256', body ?? '', 'base64url'),
      headers: headersOf(ctx, request),
    };
    const send = (line: ClientConnection | null): Promise<RelayedAnswer> =>
      line ? this.ask(line, head, body, disconnect) : this.sendPlainly(head, body, disconnect);
    const line = this.lineTo();
    return line instanceof Promise ? line.then(send) : send(line);
  }

  async onApplicationShutdown(): Promise<void> {
    this.client?.close();
    await this.plain?.close();
  }

  /** Null where the relay speaks HTTP alone. */
  private lineTo(): ClientConnection | null | Promise<ClientConnection | null> {
    if (!this.client || performance.now() < this.plainUntil) return null;
    const line = this.client.line();
    if (!(line instanceof Promise)) return line;
    return line.catch((error: unknown) => {
      if (!(error instanceof MuxNotSupported)) throw notAvailable(error);
      this.plainUntil = performance.now() + ASK_AGAIN_MS;
      return null;
    });
  }

  private ask(
    line: ClientConnection,
    head: ProxyHead,
    body: Buffer | null,
    disconnect: DisconnectSignal,
  ): Promise<RelayedAnswer> {
    const json = JSON.stringify(head);
    const seal = this.encrypter.seal(RELAY_PROXY_PATH, Buffer.from(json), ['relay']);
    return new Promise((resolve, reject) => {
      const answer = new RelayResponse(resolve, reject);
      const call = line.ask(`${seal}\n${json}`, body, answer);
      answer.follow(call);
      disconnect.onLeave(() => {
        call.abort();
        answer.left();
        reject(disconnect.reason ?? new Error('the reader has left'));
      });
    });
  }

  private sendPlainly(head: ProxyHead, body: Buffer | null, disconnect: DisconnectSignal): Promise<RelayedAnswer> {
    if (!this.plain) throw notAvailable(new Error('INTERNAL_URLS names no relay'));
    return this.plain.send(head, body, disconnect);
  }
}

function headersOf(ctx: Ctx, request: ApiRequest): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const name of HEADERS) {
    const value = request.headers[name];
    if (typeof value === 'string') headers[name] = value;
  }
  if (ctx.traceparent !== undefined) headers['traceparent'] = ctx.traceparent;
  return headers;
}
