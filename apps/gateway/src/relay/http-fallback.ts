import {
  type ProxyCtx,
  type ProxyHead,
  RELAY_PROXY_HEADERS,
  RELAY_PROXY_PATH,
  proxySealedText,
} from '@switchyard/contracts';
import { AppError } from '@switchyard/kernel';
import { MessageSigner } from '@switchyard/messaging';
import { type Dispatcher, Pool } from 'undici';
import type { ApiReply } from '../http/api-request';
import type { DisconnectSignal } from './disconnect-signal';
import { notAvailable } from './relay-unavailable-error';
import type { RelayedAnswer } from './relay-response-stream';

/** Models may think for minutes before their first word. */
const PATIENCE_MS = 900_000;
const CONNECTIONS = 1024;
/** Hop-by-hop headers. */
const OF_THE_HOP = new Set(['connection', 'keep-alive', 'transfer-encoding', 'date']);

/** The road to a relay of the version before: a request of HTTP for each call. */
export class HttpFallback {
  private readonly pool: Pool;

  constructor(
    url: string,
    private readonly encrypter: MessageSigner,
  ) {
    this.pool = new Pool(new URL(url).origin, {
      connections: CONNECTIONS,
      headersTimeout: PATIENCE_MS,
      bodyTimeout: PATIENCE_MS,
      connect: { timeout: 3_000 },
    });
  }

  async send(head: ProxyHead, body: Buffer | null, disconnect: DisconnectSignal): Promise<RelayedAnswer> {
    const aborter = new AbortController();
    disconnect.onLeave(() => {
      aborter.abort();
    });
    const answer = await this.pool
      .request({
        path: RELAY_PROXY_PATH,
        method: 'POST',
        headers: this.headersOf(head),
        body,
        signal: aborter.signal,
      })
      .catch((error: unknown) => Promise.reject(notAvailable(error)));
    if (answer.headers[RELAY_PROXY_HEADERS.error] === undefined) return answerOf(answer);
    // An interrupted response means that the relay has failed, not that the request is wrong.
    throw AppError.fromJSON(await answer.body.json().catch((error: unknown) => Promise.reject(notAvailable(error))));
  }

  close(): Promise<void> {
    return this.pool.destroy();
  }

  private headersOf(head: ProxyHead): Record<string, string> {
    const carried: ProxyCtx = { ...head.ctx, seal: this.encrypter.sealIdentity(head.ctx, 'relay') };
    const headers: Record<string, string> = {
      [RELAY_PROXY_HEADERS.ctx]: Buffer.from(JSON.stringify(carried)).toString('base64url'),
      [RELAY_PROXY_HEADERS.method]: head.method,
      [RELAY_PROXY_HEADERS.target]: head.target,
      [RELAY_PROXY_HEADERS.digest]: head.digest,
    };
    headers[RELAY_PROXY_HEADERS.seal] = this.encrypter.seal(RELAY_PROXY_PATH, Buffer.from(proxySealedText(headers)), [
      'relay',
    ]);
    return { ...headers, ...head.headers };
  }
}

function answerOf({ statusCode, headers, body }: Dispatcher.ResponseData): RelayedAnswer {
  const passed: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers))
    if (typeof value === 'string' && !OF_THE_HOP.has(name)) passed[name] = value;
  return {
    head: { status: statusCode, headers: passed },
    pour: (raw) => pour(body, raw),
    drop: () => {
      body.on('error', () => undefined).destroy();
    },
  };
}

/** Listens instead of iterating: a small answer then costs half. A reader that has left is told by the signal. */
function pour(body: Dispatcher.ResponseData['body'], raw: ApiReply['raw']): Promise<void> {
  return new Promise((resolve, reject) => {
    const resume = (): void => {
      body.resume();
    };
    const done = (error?: Error | null): void => {
      body.off('data', pass).off('end', end).off('error', done).off('close', broken);
      raw.off('drain', resume);
      if (error) reject(error);
      else resolve();
    };
    const end = (): void => {
      raw.end();
      done();
    };
    const broken = (): void => {
      done(new Error('the relay broke the answer off'));
    };
    const pass = (chunk: Buffer): void => {
      if (raw.destroyed || raw.writableEnded) {
        done();
        body.on('error', () => undefined).destroy();
      } else if (!raw.write(chunk)) body.pause();
    };
    raw.on('drain', resume);
    body.on('data', pass).once('end', end).once('error', done).once('close', broken);
  });
}
