import { Inject, Injectable } from '@nestjs/common';
import { Ticks } from '@switchyard/concurrency';
import { AppError } from '@switchyard/kernel';
import { Metrics } from '@switchyard/service';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { GatewayConfig } from '../gateway.config';

const CHECK_EVERY_MS = 1_000;
/** A smaller answer is seen by the next look: it is not worth a listener. */
export const COUNTED_AT_ONCE = 64 * 1024;

interface Unread {
  owner: string;
  bytes: number;
  /** Bytes that the kernel has accepted for this connection, and when it last accepted some. */
  taken: number;
  movedAt: number;
  /** Bytes in both directions, as they were last asked for. */
  moved: number;
  /** Bytes of answers that wait for an earlier one of their connection: its socket does not have them yet. */
  queued: Map<ServerResponse, number>;
}

type UnreadBounds = Pick<GatewayConfig, 'UNREAD_BYTES' | 'UNREAD_BYTES_PER_SPACE' | 'UNREAD_STALL_MS'>;

/**
 * The part of a socket's handle that tells what the kernel has not taken yet; Node itself looks at it for its timeouts.
 */
interface Handle {
  bytesRead: number;
  bytesWritten: number;
  writeQueueSize: number;
}

const handleOf = (socket: Socket): Handle | null | undefined =>
  (socket as Socket & { _handle?: Handle | null })._handle;

const takenOf = (socket: Socket): number => {
  const handle = handleOf(socket);
  return handle ? handle.bytesWritten - handle.writeQueueSize : socket.bytesWritten - socket.writableLength;
};

/** Of a pipelined request whose answer waits for an earlier one of its connection. */
export const isQueued = ({ socket }: ServerResponse): boolean => socket === null;

/** Bytes that the kernel has not taken, of all answers of the connection. */
function unsentBytes({ writableLength }: Socket, { queued }: Unread): number {
  let bytes = writableLength;
  for (const each of queued.values()) bytes += each;
  return bytes;
}

const refusal = (message: string): AppError => new AppError('RATE_LIMITED', message, { retryAfterSeconds: 1 });

/**
 * The bytes of answers that clients have not read yet, of all kinds: what the kernel has not taken lies in this
 * process. Bounded for each payer and in all. A connection of which the kernel takes nothing for a while is closed.
 */
@Injectable()
export class UnreadResponses {
  private readonly sockets = new Map<Socket, Unread>();
  private readonly unread = new Map<string, number>();
  private total = 0;
  private readonly looks = new Ticks(CHECK_EVERY_MS, () => this.checkConnections());
  private readonly refused: (bound: 'total' | 'space' | 'stalled') => void;
  private lookedAt = Date.now();
  private isAnswering = (): boolean => false;

  constructor(
    @Inject(GatewayConfig) private readonly config: UnreadBounds,
    metrics: Metrics,
  ) {
    const refusals = metrics.counter(
      'switchyard_unread_answers_refused_total',
      'Requests that were rejected, and connections that were closed, because clients do not read their responses.',
      ['bound'],
    );
    this.refused = (bound) => {
      refusals.inc({ bound });
    };
    metrics.gauge(
      'switchyard_unread_answer_bytes',
      'Bytes of responses that clients have not read: in total, and of the payer with the most.',
      ['bound'],
      (gauge) => {
        gauge.set({ bound: 'total' }, this.total);
        gauge.set({ bound: 'space' }, Math.max(0, ...this.unread.values()));
      },
    );
    metrics.gauge('switchyard_unread_answer_bytes_limit', 'The limits of unread answers.', ['bound'], (gauge) => {
      gauge.set({ bound: 'total' }, config.UNREAD_BYTES);
      gauge.set({ bound: 'space' }, config.UNREAD_BYTES_PER_SPACE);
    });
  }

  watch(socket: Socket, owner: string): void {
    this.sockets.set(socket, { owner, bytes: 0, taken: 0, movedAt: 0, moved: 0, queued: new Map() });
  }

  remove(socket: Socket): void {
    const unread = this.sockets.get(socket);
    if (!unread) return;
    this.count(unread, 0);
    this.sockets.delete(socket);
  }

  /** Looks from now on, and for as long as requests are in progress. */
  begin(): void {
    this.looks.begin();
  }

  lookWhile(isAnswering: () => boolean): void {
    this.isAnswering = isAnswering;
  }

  /**
   * Responses on the connection count for this payer from now on. Throws RATE_LIMITED if too many bytes of the payer's
   * responses are unread; over the total limit, only for payers that have unread bytes.
   */
  checkAndOwn(socket: Socket, owner: string): void {
    const own = this.total === 0 ? 0 : (this.unread.get(owner) ?? 0);
    if (own >= this.config.UNREAD_BYTES_PER_SPACE) throw this.refuse('space');
    if (own > 0 && this.total >= this.config.UNREAD_BYTES) throw this.refuse('total');
    const unread = this.sockets.get(socket);
    if (!unread || unread.owner === owner) return;
    const { bytes } = unread;
    this.count(unread, 0);
    unread.owner = owner;
    this.count(unread, bytes);
  }

  /** Before an answer of so many bytes is written whole: throws RATE_LIMITED where it would go over a bound. */
  take(raw: ServerResponse, bytes: number, mayRefuse: boolean): void {
    const { socket } = raw.req;
    const unread = this.sockets.get(socket);
    if (!unread || (bytes < COUNTED_AT_ONCE && !isQueued(raw))) return;
    const met = this.boundMetBy(unread, bytes);
    if (met && mayRefuse) throw this.refuse(met);
    if (isQueued(raw)) this.queue(unread, raw, bytes);
    this.count(unread, unread.bytes + bytes);
    raw.once('finish', () => {
      this.measure(socket);
    });
  }

  /** After more of an answer was written than the client takes at once. False where that is over a bound. */
  mayWait(raw: ServerResponse): boolean {
    const { socket } = raw.req;
    const unread = this.sockets.get(socket);
    if (!unread) return true;
    if (isQueued(raw)) this.queue(unread, raw, raw.writableLength);
    const bytes = unsentBytes(socket, unread) + (isQueued(raw) ? 0 : raw.writableLength - socket.writableLength);
    const met = this.boundMetBy(unread, bytes - unread.bytes);
    if (met) this.refused(met);
    this.count(unread, bytes);
    return met === null;
  }

  /** Until its turn comes. */
  private queue(unread: Unread, raw: ServerResponse, bytes: number): void {
    const { queued } = unread;
    if (!queued.has(raw)) {
      const leave = (): void => {
        queued.delete(raw);
      };
      raw.once('socket', leave).once('close', leave);
    }
    queued.set(raw, bytes);
  }

  /** Written bytes have left, or some of them. */
  measure(socket: Socket | null): void {
    const unread = socket && this.sockets.get(socket);
    if (unread) this.count(unread, unsentBytes(socket, unread));
  }

  /** Bytes in both directions on the connection since this was asked last. */
  moved(socket: Socket): number {
    const unread = this.sockets.get(socket);
    if (!unread) return 0;
    // The socket's own count of what it has written copies its buffer.
    const handle = handleOf(socket);
    if (!handle) return 0;
    const moved = handle.bytesRead + handle.bytesWritten;
    const more = moved - unread.moved;
    unread.moved = moved;
    return more;
  }

  private boundMetBy({ owner }: Unread, bytes: number): 'space' | 'total' | null {
    if (bytes <= 0) return null;
    if ((this.unread.get(owner) ?? 0) + bytes > this.config.UNREAD_BYTES_PER_SPACE) return 'space';
    return this.total + bytes > this.config.UNREAD_BYTES ? 'total' : null;
  }

  private refuse(bound: 'space' | 'total'): AppError {
    this.refused(bound);
    return refusal(
      bound === 'space'
        ? 'Too many bytes of answers to your Space are not read. Read them, then try again.'
        : 'The platform holds too many bytes of answers that are not read. Read yours, then try again.',
    );
  }

  private count(unread: Unread, bytes: number): void {
    const { owner } = unread;
    const more = bytes - unread.bytes;
    if (more === 0) return;
    unread.bytes = bytes;
    this.total += more;
    const own = (this.unread.get(owner) ?? 0) + more;
    if (own > 0) this.unread.set(owner, own);
    else this.unread.delete(owner);
  }

  /** Goes on as long as a connection has something in it, or may get it soon. */
  private checkConnections(): boolean {
    const now = Date.now();
    // After this process stood still, the kernel has had no chance to take anything.
    const stoodStill = now - this.lookedAt > 3 * CHECK_EVERY_MS;
    this.lookedAt = now;
    let isBusy = this.isAnswering();
    for (const [socket, unread] of this.sockets) {
      const { writableLength } = socket;
      if (writableLength === 0 && unread.bytes === 0) continue;
      isBusy = true;
      this.count(unread, unsentBytes(socket, unread));
      const taken = takenOf(socket);
      if (taken !== unread.taken || writableLength === 0 || stoodStill || unread.movedAt === 0) {
        unread.taken = taken;
        unread.movedAt = writableLength === 0 ? 0 : now;
      } else if (now - unread.movedAt >= this.config.UNREAD_STALL_MS) {
        this.refused('stalled');
        // Without a reset the kernel would keep unread bytes for minutes.
        socket.resetAndDestroy();
      }
    }
    return isBusy;
  }
}
