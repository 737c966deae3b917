import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { Ticks, noteActivity } from '@switchyard/concurrency';

/** An upload that may take its time has to bring this much within `stallMs`; any other body only something. */
const MIN_UPLOAD_BYTES = 4096;

export interface Patience {
  bodyMs: number;
  stallMs: number;
}

export const TIMED_OUT = 'HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n';

interface Arrival {
  /** A request that was left before its end has none any more. */
  socket: Socket;
  begunAt: number;
  movedAt: number;
  bytes: number;
  isUpload: boolean;
}

/**
 * How long bodies may take to arrive. Each has to make progress. A body is whole within its time; an upload may last,
 * as long as it does not trickle. While bytes that have come were not read yet, the time without progress does not run.
 */
export class RequestTimeouts {
  private readonly open = new Map<IncomingMessage, Arrival>();

  private readonly everyMs: number;
  private readonly looks: Ticks;
  private lookedAt = -Infinity;

  constructor(
    private readonly patience: Patience,
    private readonly now: () => number = Date.now,
  ) {
    this.everyMs = Math.min(5000, patience.bodyMs / 4, patience.stallMs / 4);
    this.looks = new Ticks(this.everyMs, () => this.checkUnlessPaused());
  }

  watch(request: IncomingMessage, isUpload: boolean): void {
    noteActivity();
    const { headers } = request;
    if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) return;
    const { socket } = request;
    const arrival = { socket, begunAt: this.now(), movedAt: this.now(), bytes: socket.bytesRead, isUpload };
    if (this.open.size === 0) this.lookedAt = this.now();
    this.open.set(request, arrival);
    this.looks.begin();
    request.once('close', () => {
      if (request.complete || socket.destroyed) this.open.delete(request);
      // It was answered before its end: the rest of the body has the time-out of a body.
      else arrival.isUpload = false;
    });
  }

  private checkUnlessPaused(): boolean {
    // After a stall, read the data that arrived meanwhile before a request is called late.
    const stoodStill = this.now() - this.lookedAt > 2 * this.everyMs;
    this.lookedAt = this.now();
    if (!stoodStill) this.check();
    return this.open.size > 0;
  }

  check(): void {
    for (const [request, arrival] of this.open) {
      if (request.complete || arrival.socket.destroyed) this.open.delete(request);
      else if (this.isLate(request, arrival)) this.end(request, arrival.socket);
    }
  }

  private isLate(request: IncomingMessage, arrival: Arrival): boolean {
    const now = this.now();
    if (!arrival.isUpload && now - arrival.begunAt > this.patience.bodyMs) return true;
    const { bytesRead } = arrival.socket;
    const least = arrival.isUpload ? MIN_UPLOAD_BYTES : 1;
    if (request.readableLength > 0 || bytesRead - arrival.bytes >= least) {
      arrival.movedAt = now;
      arrival.bytes = bytesRead;
      return false;
    }
    return now - arrival.movedAt > this.patience.stallMs;
  }

  private end(request: IncomingMessage, socket: Socket): void {
    this.open.delete(request);
    if (socket.writable) socket.write(TIMED_OUT);
    socket.destroySoon();
    request.destroy();
  }
}
