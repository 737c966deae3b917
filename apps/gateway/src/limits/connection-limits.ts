import { Injectable } from '@nestjs/common';
import { AppError } from '@switchyard/kernel';
import { Metrics } from '@switchyard/service';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { GatewayConfig } from '../gateway.config';
import { clientNetwork } from './client-network';
import { ConnectionCounts } from './connection-counts';

type Bound = 'total' | 'address';

/** So many times its share an address may have while its connections are too new to have shown a credential. */
const BURST = 5;
/** In which a connection over the share of its address may still show a credential. */
const GRACE_MS = 1_000;

/**
 * How many connections are open in all, and from one address without a credential. Behind proxies that are trusted a
 * connection is the proxy's and carries many clients, so there the open requests of each client's address count.
 */
@Injectable()
export class ConnectionLimits {
  private readonly counts: ConnectionCounts<object>;
  private readonly requests: ConnectionCounts<object>;
  private readonly behindProxy: boolean;
  private readonly limit: number;
  private readonly refused: (bound: Bound) => void;

  constructor(config: GatewayConfig, metrics: Metrics) {
    const { CONNECTIONS: total, ANONYMOUS_CONNECTIONS_PER_ADDRESS: perAddress } = config;
    this.behindProxy = config.TRUSTED_PROXIES > 0;
    this.limit = perAddress;
    const counts = new ConnectionCounts<object>({ total, perAddress, burst: BURST });
    const requests = new ConnectionCounts<object>({ total: Infinity, perAddress, burst: 1 });
    this.counts = counts;
    this.requests = requests;
    const refusals = metrics.counter(
      'switchyard_connections_refused_total',
      'Connections that were closed, or requests refused behind a proxy, because a bound was met.',
      ['bound'],
    );
    this.refused = (bound) => {
      refusals.inc({ bound });
    };
    metrics.gauge(
      'switchyard_connections_open',
      'Open connections; for `address` those without a credential of the address that has most.',
      ['bound'],
      (gauge) => {
        gauge.set({ bound: 'total' }, counts.open);
        gauge.set({ bound: 'address' }, Math.max(counts.most, requests.most));
      },
    );
    metrics.gauge('switchyard_connections_limit', 'The bounds of open connections.', ['bound'], (gauge) => {
      gauge.set({ bound: 'total' }, total);
      gauge.set({ bound: 'address' }, perAddress);
    });
  }

  /** Closes what is one too many. A client of many parallel calls has a moment to show the credential of each. */
  watch(server: Server): void {
    server.on('connection', (socket: Socket) => {
      const bound = this.counts.enter(socket, this.behindProxy ? '' : clientNetwork(socket.remoteAddress ?? ''));
      if (bound !== null) {
        this.refused(bound);
        socket.destroy();
        return;
      }
      const timer = this.counts.isOver(socket) ? setTimeout(() => this.closeIfOver(socket), GRACE_MS) : undefined;
      socket.once('close', () => {
        clearTimeout(timer);
        this.counts.leave(socket);
      });
    });
  }

  private closeIfOver(socket: Socket): void {
    // After a stall of the event loop timers run before what has arrived is read.
    setImmediate(() => {
      if (!this.counts.isOver(socket)) return;
      this.refused('address');
      socket.destroy();
    });
  }

  /** Counts a request behind a proxy as its client's; throws where it is one too many. */
  enterRequest(request: FastifyRequest, reply: FastifyReply): void {
    if (!this.behindProxy) return;
    if (this.requests.enter(request.raw, clientNetwork(request.ip)) !== null) {
      this.refused('address');
      throw new AppError(
        'RATE_LIMITED',
        `Your address may have ${this.limit} requests without a credential open at once. Try again shortly.`,
        { retryAfterSeconds: 1, headers: { connection: 'close' } },
      );
    }
    reply.raw.once('close', () => {
      this.requests.leave(request.raw);
    });
  }

  /** The request has shown a good credential. */
  recognize(request: FastifyRequest): void {
    if (this.behindProxy) this.requests.recognize(request.raw);
    else this.counts.recognize(request.raw.socket);
  }
}
