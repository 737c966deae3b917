import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

/** An upload that may take its time still has to move: this much within `uploadStallMs`. */
const LEAST_BYTES = 4096;

export interface Patience {
  bodyMs: number;
  uploadStallMs: number;
}

export const TIMED_OUT = 'HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n';

interface Arrival {
  /** A request that was left before its end has none any more. */
  socket: Socket;
  since: number;
  bytes: number;
  isUpload: boolean;
}

/**
 * How long bodies may take to arrive. A body is whole within its time; an upload may last, as long as it does not
 * trickle. While we are the slow ones, because what has come was not read yet, its time does not run.
 */
export class Arrivals {
  private readonly open = new Map<IncomingMessage, Arrival>();

  constructor(
    private readonly patience: Patience,
    private readonly now: () => number = Date.now,
  ) {
    const every = Math.min(5000, patience.bodyMs / 4, patience.uploadStallMs / 4);
    let lookedAt = this.now();
    setInterval(() => {
      // After we stood still, what came meanwhile is read before anybody is called late.
      const stoodStill = this.now() - lookedAt > 2 * every;
      lookedAt = this.now();
      if (!stoodStill) this.check();
    }, every).unref();
  }

  watch(request: IncomingMessage, isUpload: boolean): void {
    const { headers } = request;
    if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) return;
    const { socket } = request;
    const arrival = { socket, since: this.now(), bytes: socket.bytesRead, isUpload };
    this.open.set(request, arrival);
    request.once('close', () => {
      if (request.complete || socket.destroyed) this.open.delete(request);
      // It was answered before its end: nobody waits for the rest, and it has the time of a body.
      else arrival.isUpload = false;
    });
  }

  check(): void {
    for (const [request, arrival] of this.open) {
      if (request.complete || arrival.socket.destroyed) this.open.delete(request);
      else if (this.isLate(request, arrival)) this.end(request, arrival.socket);
    }
  }

  private isLate(request: IncomingMessage, arrival: Arrival): boolean {
    const elapsed = this.now() - arrival.since;
    if (!arrival.isUpload) return elapsed > this.patience.bodyMs;
    const { bytesRead } = arrival.socket;
    if (request.readableLength > 0 || bytesRead - arrival.bytes >= LEAST_BYTES) {
      arrival.since = this.now();
      arrival.bytes = bytesRead;
      return false;
    }
    return elapsed > this.patience.uploadStallMs;
  }

  private end(request: IncomingMessage, socket: Socket): void {
    this.open.delete(request);
    if (socket.writable) socket.write(TIMED_OUT);
    socket.destroySoon();
    request.destroy();
  }
}
