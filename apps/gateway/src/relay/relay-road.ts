import { hash } from 'node:crypto';
import { Injectable, OnApplicationShutdown } from '@nestjs/common';
import { type Ctx, type ProxyCtx, RELAY_PROXY_HEADERS, RELAY_PROXY_PATH, proxySealedText } from '@switchyard/contracts';
import { AppError } from '@switchyard/kernel';
import { Sealer, plainCtx } from '@switchyard/messaging';
import { type Dispatcher, Pool } from 'undici';
import { GatewayConfig } from '../gateway.config';
import type { GateRequest } from '../http/request';

const PREFIX = '/models/v1/';
/** What an upstream may see of a caller's headers. */
const HEADERS = ['content-type', 'accept', 'openai-beta', 'traceparent'];
/** Models may think for minutes before their first word. */
const PATIENCE_MS = 900_000;
const CONNECTIONS = 1024;

/** The gateway's end of the road to the relay: the caller's bytes with a sealed context, and the answer as it arrives. */
@Injectable()
export class RelayRoad implements OnApplicationShutdown {
  private readonly pool: Pool | null;

  constructor(
    private readonly sealer: Sealer,
    config: GatewayConfig,
  ) {
    const url = config.INTERNAL_URLS['relay'];
    this.pool =
      url === undefined
        ? null
        : new Pool(new URL(url).origin, {
            connections: CONNECTIONS,
            headersTimeout: PATIENCE_MS,
            bodyTimeout: PATIENCE_MS,
            connect: { timeout: 3_000 },
          });
  }

  async send(
    ctx: Ctx,
    request: GateRequest,
    method: 'GET' | 'POST',
    signal: AbortSignal,
  ): Promise<Dispatcher.ResponseData> {
    const encoding = request.headers['content-encoding'];
    if (encoding !== undefined && encoding !== 'identity')
      throw new AppError('UNSUPPORTED_MEDIA_TYPE', 'Send the body without Content-Encoding.');
    const body = Buffer.isBuffer(request.body) ? request.body : null;
    const headers: Record<string, string> = {
      [RELAY_PROXY_HEADERS.ctx]: this.carried(ctx),
      [RELAY_PROXY_HEADERS.method]: method,
      [RELAY_PROXY_HEADERS.target]: request.url.slice(PREFIX.length),
      [RELAY_PROXY_HEADERS.digest]: hash('sha256', body ?? '', 'base64url'),
    };
    const sealed = Buffer.from(proxySealedText(headers));
    headers[RELAY_PROXY_HEADERS.seal] = this.sealer.seal(RELAY_PROXY_PATH, sealed, ['relay']);
    for (const name of HEADERS) {
      const value = request.headers[name];
      if (typeof value === 'string') headers[name] = value;
    }
    if (ctx.traceparent !== undefined) headers['traceparent'] = ctx.traceparent;
    const answer = await this.ask({
      path: RELAY_PROXY_PATH,
      method: 'POST',
      headers,
      body,
      signal,
    });
    if (answer.headers[RELAY_PROXY_HEADERS.error] === undefined) return answer;
    // What breaks off in the middle is a relay that has gone, and no fault of the request.
    throw AppError.fromJSON(await answer.body.json().catch((error: unknown) => Promise.reject(notAvailable(error))));
  }

  onApplicationShutdown(): Promise<void> {
    return this.pool?.destroy() ?? Promise.resolve();
  }

  private async ask(options: Dispatcher.RequestOptions): Promise<Dispatcher.ResponseData> {
    try {
      if (!this.pool) throw new Error('INTERNAL_URLS names no relay');
      return await this.pool.request(options);
    } catch (error) {
      throw notAvailable(error);
    }
  }

  private carried(ctx: Ctx): string {
    const carried: ProxyCtx = { ...plainCtx(ctx), seal: this.sealer.sealIdentity(ctx, 'relay') };
    return Buffer.from(JSON.stringify(carried)).toString('base64url');
  }
}

const notAvailable = (cause: unknown): AppError =>
  new AppError('SERVICE_UNAVAILABLE', 'A part of the platform is not available. Try again shortly.', {
    cause,
    retryAfterSeconds: 1,
  });
