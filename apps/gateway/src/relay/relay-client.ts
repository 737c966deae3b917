import { AsyncLocalStorage } from 'node:async_hooks';
import { hash } from 'node:crypto';
import { Injectable, OnApplicationShutdown } from '@nestjs/common';
import {
  carriedCtx,
  type Ctx,
  type InProcessProxy,
  type ProxyCallHead,
  type ProxyHead,
  RELAY_PROXY_PATH,
} from '@switchyard/contracts';
import { retry } from '@switchyard/concurrency';
import { MessageSigner } from '@switchyard/messaging';
import { type ClientConnection, MuxConnectionPool, MuxRefused, Neighbours } from '@switchyard/service';
import { GatewayConfig } from '../gateway.config';
import { refuseEncoded } from '../http/body/request-body';
import type { ApiRequest } from '../http/api-request';
import type { DisconnectSignal } from './disconnect-signal';
import { InProcessResponse } from './in-process-response';
import { notAvailable } from './relay-unavailable-error';
import type { RelayedAnswer } from './relay-response-stream';
import { RelayResponse } from './relay-response';

const PREFIX = '/models/v1/';
/** Request headers forwarded to an upstream. */
const HEADERS = ['content-type', 'accept', 'openai-beta', 'traceparent'];
/** A stopping relay refuses connections: another replica, or its successor, may accept the next one. */
const REFUSED = {
  baseMs: 50,
  maxMs: 400,
  withinMs: 2_000,
  shouldRetry: (error: unknown) => error instanceof MuxRefused,
};

/**
 * Sends calls to the relay: the caller's bytes with a signed context, over a connection. A relay in this process is
 * called without one. Responses are passed on as they arrive.
 */
@Injectable()
export class RelayClient implements OnApplicationShutdown {
  private readonly connections: MuxConnectionPool | null;
  /** Without a request around it. */
  private readonly inOwnContext = AsyncLocalStorage.snapshot();

  constructor(
    private readonly encrypter: MessageSigner,
    config: GatewayConfig,
    private readonly neighbours: Neighbours,
  ) {
    const url = config.INTERNAL_URLS['relay'];
    this.connections = url === undefined ? null : new MuxConnectionPool(new URL(url), RELAY_PROXY_PATH);
  }

  send(ctx: Ctx, request: ApiRequest, method: 'GET' | 'POST', disconnect: DisconnectSignal): Promise<RelayedAnswer> {
    refuseEncoded(request.headers);
    const body = Buffer.isBuffer(request.body) ? request.body : null;
    const callHead: ProxyCallHead = {
      ctx: carriedCtx(ctx),
      method,
      target: request.url.slice(PREFIX.length),
      headers: headersOf(ctx, request),
    };
    const { relayProxy } = this.neighbours;
    if (relayProxy?.isOpen) return this.sendInProcess(relayProxy, callHead, body, disconnect);
    const head: ProxyHead = { ...callHead, digest: hash('sha256', body ?? '', 'base64url') };
    const connection = this.connect();
    return connection instanceof Promise
      ? connection.then((open) => this.sendOver(open, head, body, disconnect))
      : this.sendOver(connection, head, body, disconnect);
  }

  onApplicationShutdown(): void {
    this.connections?.close();
  }

  private connect(): ClientConnection | Promise<ClientConnection> {
    const { connections } = this;
    if (!connections) throw notAvailable(new Error('INTERNAL_URLS names no relay'));
    const first = connections.line();
    if (!(first instanceof Promise)) return first;
    return retry(async (attempt) => (attempt === 1 ? first : connections.line()), REFUSED).catch((error: unknown) => {
      throw notAvailable(error);
    });
  }

  private sendInProcess(
    relay: InProcessProxy,
    head: ProxyCallHead,
    body: Buffer | null,
    disconnect: DisconnectSignal,
  ): Promise<RelayedAnswer> {
    return new Promise((resolve, reject) => {
      const answer = new InProcessResponse(resolve, reject, this.inOwnContext);
      const call = relay.ask(head, body, answer);
      answer.follow(call);
      stopAtLeave(disconnect, call, { answer, reject });
    });
  }

  private sendOver(
    connection: ClientConnection,
    head: ProxyHead,
    body: Buffer | null,
    disconnect: DisconnectSignal,
  ): Promise<RelayedAnswer> {
    const json = JSON.stringify(head);
    const seal = this.encrypter.seal(RELAY_PROXY_PATH, Buffer.from(json), ['relay']);
    return new Promise((resolve, reject) => {
      const answer = new RelayResponse(resolve, reject);
      const call = connection.ask(`${seal}\n${json}`, body, answer);
      answer.follow(call);
      stopAtLeave(disconnect, call, { answer, reject });
    });
  }
}

function stopAtLeave(
  disconnect: DisconnectSignal,
  call: { abort(): void },
  { answer, reject }: { answer: { left(): void }; reject: (error: Error) => void },
): void {
  disconnect.onLeave(() => {
    call.abort();
    answer.left();
    reject(disconnect.reason ?? new Error('the reader has left'));
  });
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
