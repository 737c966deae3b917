import { Injectable } from '@nestjs/common';
import type { Identity } from '@switchyard/contracts';
import { AppError } from '@switchyard/kernel';
import { Metrics, SpacePolicyCache, SpaceUseCounter } from '@switchyard/service';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { ConcurrencyQuota } from './concurrency-quota';
import { GatewayConfig } from '../gateway.config';
import { clientNetwork } from './client-network';
import { ConnectionCounts } from './connection-counts';
import { ConnectionOwners, type Holder } from './connection-owners';
import { UnreadResponses } from './unread-responses';

type Bound = 'total' | 'address' | 'credential' | 'space' | 'payer' | 'pipeline';

/** So many times its share an address may have while its connections are too new to have shown a credential. */
const BURST = 5;
/** In which a connection over the share of its address may still show a credential. */
const GRACE_MS = 1_000;
/** Requests in progress on one connection: answers that are streamed to it are buffered until their turn. */
const PIPELINED_MAX = 32;
/** From so many of all connections on, holders over their third give theirs to others that come. */
const CROWDED = 0.9;

const credentialOf = (identity: Identity): string =>
  identity.credentialType === 'jwt' ? `user:${identity.userId}` : (identity.credentialId ?? '');

const tooManyRequests = (who: string, most: number) => (): AppError =>
  new AppError('RATE_LIMITED', `A ${who} may have ${most} requests open at once. Wait for one of them to end.`, {
    retryAfterSeconds: 1,
  });

/**
 * How many connections are open: in all, of a payer, a Space, a credential, and of an address without a credential.
 * Over a bound the idlest connection of the one that holds most is closed. A connection counts for the credential of
 * its latest request that was not refused. Behind proxies that are trusted a connection is the proxy's and carries many
 * clients, so there the open requests count.
 */
@Injectable()
export class ConnectionLimits {
  private readonly holders = new ConnectionOwners<Socket>();
  private readonly requests: ConnectionCounts<object>;
  private readonly slots: ConcurrencyQuota;
  private readonly behindProxy: boolean;
  private readonly perAddress: number;
  private readonly perPayer: number;
  private readonly refusedBy: (bound: Bound) => void;
  private isStopping = false;

  constructor(
    private readonly config: GatewayConfig,
    private readonly policies: SpacePolicyCache,
    private readonly unread: UnreadResponses,
    private readonly use: SpaceUseCounter,
    metrics: Metrics,
  ) {
    const { CONNECTIONS: total, ANONYMOUS_CONNECTIONS_PER_ADDRESS: perAddress } = config;
    const { CONNECTIONS_PER_CREDENTIAL: perCredential, CONNECTIONS_PER_SPACE: perSpace } = config;
    this.behindProxy = config.TRUSTED_PROXIES > 0;
    this.perAddress = perAddress;
    this.perPayer = Math.max(1, Math.ceil(total / 3));
    this.requests = new ConnectionCounts<object>({ total: Infinity, perAddress, burst: 1 });
    this.slots = new ConcurrencyQuota(
      { name: 'credential', most: perCredential, refusal: tooManyRequests('credential', perCredential) },
      { name: 'space', most: perSpace, refusal: tooManyRequests('Space', perSpace) },
    );
    const refusals = metrics.counter(
      'switchyard_connections_refused_total',
      'Connections that were closed, or requests that were rejected behind a proxy or in a pipeline, because a limit was reached.',
      ['bound'],
    );
    this.refusedBy = (bound) => {
      refusals.inc({ bound });
    };
    unread.lookWhile(() => this.holders.busy > 0);
    use.reportConnections(() => (this.behindProxy ? this.slots.usedBy('space') : this.holders.counts()));
    this.measure(metrics);
  }

  private measure(metrics: Metrics): void {
    const { config, holders, slots, requests } = this;
    metrics.gauge(
      'switchyard_connections_open',
      'Open connections in all, and of the address without a credential, the credential, the Space and the payer that have most.',
      ['bound'],
      (gauge) => {
        const { most } = holders;
        const [credential, space] = slots.usage;
        gauge.set({ bound: 'total' }, holders.open);
        gauge.set({ bound: 'address' }, Math.max(most.address, requests.most));
        gauge.set({ bound: 'credential' }, Math.max(most.credential, credential?.used ?? 0));
        gauge.set({ bound: 'space' }, Math.max(most.space, space?.used ?? 0));
        gauge.set({ bound: 'payer' }, most.payer);
      },
    );
    metrics.gauge('switchyard_connections_limit', 'The limits of open connections.', ['bound'], (gauge) => {
      gauge.set({ bound: 'total' }, config.CONNECTIONS);
      gauge.set({ bound: 'address' }, this.perAddress);
      gauge.set({ bound: 'credential' }, config.CONNECTIONS_PER_CREDENTIAL);
      gauge.set({ bound: 'space' }, config.CONNECTIONS_PER_SPACE);
      gauge.set({ bound: 'payer' }, this.perPayer);
    });
  }

  /** Closes what is one too many. A client of many parallel calls has a moment to show the credential of each. */
  watch(server: Server): void {
    server.on('connection', (socket: Socket) => {
      const address = clientNetwork(socket.remoteAddress ?? '');
      const bound = this.boundMetBy(address);
      if (bound !== null) {
        this.refusedBy(bound);
        socket.destroy();
        return;
      }
      this.holders.enter(socket, this.behindProxy ? '' : address);
      this.unread.watch(socket, `address:${address}`);
      const timer = this.isOver(socket) ? setTimeout(() => this.closeIfOver(socket), GRACE_MS) : undefined;
      socket.once('close', () => {
        clearTimeout(timer);
        this.holders.leave(socket);
        this.unread.remove(socket);
      });
    });
  }

  /** Makes room where others hold more than their third; says which bound keeps a new connection out. */
  private boundMetBy(address: string): 'total' | 'address' | null {
    const { CONNECTIONS: total } = this.config;
    if (!this.behindProxy && this.holders.ofPayer(`address:${address}`) >= this.perAddress * BURST) return 'address';
    if (this.holders.open < total * CROWDED || this.behindProxy) return this.holders.open >= total ? 'total' : null;
    const { payer, count } = this.holders.largest;
    const isOverShare = count > this.perPayer;
    const isFull = this.holders.open >= total;
    if (!isOverShare && !isFull) return null;
    const idlest = this.holders.idlestOfPayer(payer, isOverShare && isFull);
    if (idlest) this.close(idlest, payer.startsWith('address:') ? 'address' : 'payer');
    return isFull && !idlest ? 'total' : null;
  }

  private close(socket: Socket, bound: Bound): void {
    this.refusedBy(bound);
    this.holders.leave(socket);
    socket.destroy();
  }

  /** Without a credential, and its address has more of that kind than its share. */
  private isOver(socket: Socket): boolean {
    const holder = this.holders.isAnonymous(socket) ? this.holders.holderOf(socket) : undefined;
    return holder !== undefined && !this.behindProxy && this.holders.ofPayer(holder.payer) > this.perAddress;
  }

  private closeIfOver(socket: Socket): void {
    // After a stall of the event loop timers run before what has arrived is read.
    setImmediate(() => {
      const payer = this.holders.holderOf(socket)?.payer;
      if (payer !== undefined && this.isOver(socket))
        this.close(this.holders.idlestOfPayer(payer, false) ?? socket, 'address');
    });
  }

  /** A request has begun. Behind a proxy it counts as its client's; throws where it is one too many. */
  enterRequest(request: FastifyRequest, reply: FastifyReply, closeAfter: (request: IncomingMessage) => void): void {
    this.unread.begin();
    if (this.holders.begin(request.raw.socket) > PIPELINED_MAX) {
      closeAfter(request.raw);
      this.refusedBy('pipeline');
      throw new AppError(
        'RATE_LIMITED',
        `A connection may have ${PIPELINED_MAX} requests in progress. Wait for the answers to those before.`,
        { retryAfterSeconds: 1, headers: { connection: 'close' } },
      );
    }
    if (!this.behindProxy) return;
    if (this.requests.enter(request.raw, clientNetwork(request.ip)) !== null) {
      this.refusedBy('address');
      throw new AppError(
        'RATE_LIMITED',
        `Your address may have ${this.perAddress} requests without a credential open at once. Try again shortly.`,
        { retryAfterSeconds: 1, headers: { connection: 'close' } },
      );
    }
    reply.raw.once('close', () => {
      this.requests.leave(request.raw);
    });
  }

  /**
   * From now on each connection is closed behind its last response. Node closes only those that are idle when the
   * server stops listening, and the stop would wait for clients that keep the others.
   */
  closeIdle(): void {
    this.isStopping = true;
  }

  /** The response was sent. Bytes on the connection since the previous one belong to this request. */
  leaveRequest({ raw: { socket } }: FastifyRequest, spaceId: string | null): void {
    const inProgress = this.holders.end(socket);
    const bytes = this.unread.moved(socket);
    if (spaceId !== null && bytes > 0) this.use.add('bytes', spaceId, bytes);
    if (this.isStopping && inProgress === 0) socket.destroySoon();
  }

  /** The request has shown a good credential, and is not refused for its limits. */
  recognize(request: FastifyRequest, reply: FastifyReply, identity: Identity): void {
    const credential = credentialOf(identity);
    // Credentials without a Space count by themselves.
    const space = identity.spaceId ?? `credential:${credential}`;
    const payer = identity.spaceId === null ? space : this.policies.payerOf(identity.spaceId);
    const { socket } = request.raw;
    this.unread.checkAndOwn(socket, payer);
    const holder = { payer, space, credential };
    if (this.behindProxy) this.acquireSlot(request, reply, holder);
    else this.count(socket, holder);
  }

  private count(socket: Socket, holder: Holder): void {
    const { holders, config } = this;
    if (!holders.move(socket, holder)) return;
    if (holders.ofCredential(holder) > config.CONNECTIONS_PER_CREDENTIAL) {
      const idlest = holders.idlestOfCredential(holder);
      if (idlest) this.close(idlest, 'credential');
    }
    if (holders.ofSpace(holder.space) <= config.CONNECTIONS_PER_SPACE) return;
    const idlest = holders.idlestOfSpace(holder.space);
    if (idlest) this.close(idlest, 'space');
  }

  private acquireSlot(request: FastifyRequest, reply: FastifyReply, { credential, space }: Holder): void {
    const giveBack = this.slots.take(`${space}/${credential}`, space);
    this.requests.recognize(request.raw);
    reply.raw.once('close', giveBack);
  }
}
