import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { ArraySet, type Slot, Ticks, noteActivity } from '@switchyard/concurrency';

/** An upload that may take its time has to bring this much within `stallMs`; any other body only something. */
const MIN_UPLOAD_BYTES = 4096;

export interface Patience {
  bodyMs: number;
  stallMs: number;
}

export const TIMED_OUT = 'HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n';

interface Arrival {
  request: IncomingMessage;
  /** A request that was left before its end has none any more. */
  socket: Socket;
  begunAt: number;
  movedAt: number;
  bytes: number;
  isUpload: boolean;
  slot?: Slot<Arrival>;
}

/**
 * How long bodies may take to arrive. Each has to make progress. A body is whole within its time; an upload may last,
 * as long as it does not trickle. While bytes that have come were not read yet, the time without progress does not run.
 */
export class RequestTimeouts {
  private readonly open = new ArraySet<Arrival>();

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
    const begunAt = this.now();
    const arrival: Arrival = { request, socket, begunAt, movedAt: begunAt, bytes: socket.bytesRead, isUpload };
    if (this.open.size === 0) this.lookedAt = this.now();
    const slot = this.open.add(arrival);
    arrival.slot = slot;
    this.looks.begin();
    request.once('close', () => {
      if (request.complete || socket.destroyed) this.open.remove(slot);
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
    for (const arrival of this.open) {
      if (arrival.request.complete || arrival.socket.destroyed) this.remove(arrival);
      else if (this.isLate(arrival)) this.end(arrival);
    }
  }

  private isLate(arrival: Arrival): boolean {
    const now = this.now();
    if (!arrival.isUpload && now - arrival.begunAt > this.patience.bodyMs) return true;
    const { bytesRead } = arrival.socket;
    const least = arrival.isUpload ? MIN_UPLOAD_BYTES : 1;
    if (arrival.request.readableLength > 0 || bytesRead - arrival.bytes >= least) {
      arrival.movedAt = now;
      arrival.bytes = bytesRead;
      return false;
    }
    return now - arrival.movedAt > this.patience.stallMs;
  }

  private remove({ slot }: Arrival): void {
    if (slot) this.open.remove(slot);
  }

  private end(arrival: Arrival): void {
    const { request, socket } = arrival;
    this.remove(arrival);
    if (socket.writable) socket.write(TIMED_OUT);
    socket.destroySoon();
    request.destroy();
  }
}
