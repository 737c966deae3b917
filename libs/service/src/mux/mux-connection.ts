import type { Socket } from 'node:net';
import { FrameKind, FrameReader, type MuxFrame, frameHeader } from './mux-frames';

/** Up to here, what waits is copied together: one system call, and nothing that the socket must look after. */
const JOINED_BYTES = 64 * 1024;
const SILENCE_MS = 5_000;
const DEAD_MS = 20_000;

/**
 * One connection that multiplexes calls. Everything sent within a turn of the event loop is one write. After 20 seconds
 * without data or keep-alive the connection is closed.
 */
export class MuxConnection {
  private waiting: Buffer[] = [];
  private size = 0;
  private isDue = false;
  private receivedAt = performance.now();
  private readonly pulse: NodeJS.Timeout;
  private readonly frames = new FrameReader();
  private drains: (() => void)[] = [];

  constructor(
    private readonly socket: Socket,
    private readonly onFrame: (frame: MuxFrame) => void,
    private readonly onClosed: () => void,
  ) {
    socket.setNoDelay(true);
    socket.setTimeout(0);
    socket.on('data', (chunk: Buffer) => {
      this.receive(chunk);
    });
    socket.on('drain', () => {
      this.letWrite();
    });
    socket.on('error', () => undefined);
    // The other side has closed: its requests have no reader any more.
    socket.once('end', () => socket.destroy());
    socket.once('close', () => {
      clearInterval(this.pulse);
      this.waiting = [];
      this.letWrite();
      this.onClosed();
    });
    this.pulse = setInterval(() => {
      this.feel();
    }, SILENCE_MS).unref();
  }

  get isClosed(): boolean {
    return this.socket.destroyed;
  }

  /** Bytes that were read from the socket before the upgrade. */
  begin(head: Buffer): void {
    if (head.length > 0) this.receive(head);
  }

  send(kind: FrameKind, call: number, ...payload: readonly Uint8Array[]): void {
    if (this.socket.destroyed) return;
    let length = 0;
    for (const piece of payload) length += piece.byteLength;
    this.add(frameHeader(kind, call, length));
    for (const piece of payload) this.add(piece);
    if (this.isDue) return;
    this.isDue = true;
    setImmediate(this.flush);
  }

  /** Undefined where more may be said at once. */
  drained(): Promise<void> | undefined {
    if (this.socket.destroyed || (!this.socket.writableNeedDrain && this.size < JOINED_BYTES)) return undefined;
    return new Promise((resolve) => this.drains.push(resolve));
  }

  /** Says what waits, and closes. */
  end(): void {
    this.flush();
    this.socket.end();
  }

  destroy(): void {
    this.socket.destroy();
  }

  private add(piece: Uint8Array): void {
    if (piece.byteLength === 0) return;
    this.waiting.push(Buffer.isBuffer(piece) ? piece : Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength));
    this.size += piece.byteLength;
  }

  private readonly flush = (): void => {
    this.isDue = false;
    const { waiting, size, socket } = this;
    if (size === 0 || socket.destroyed) return;
    this.waiting = [];
    this.size = 0;
    if (size <= JOINED_BYTES) socket.write(Buffer.concat(waiting, size));
    else {
      socket.cork();
      for (const piece of waiting) socket.write(piece);
      socket.uncork();
    }
    if (!socket.writableNeedDrain) this.letWrite();
  };

  private letWrite(): void {
    if (this.drains.length === 0) return;
    const waiting = this.drains;
    this.drains = [];
    for (const go of waiting) go();
  }

  private receive(chunk: Buffer): void {
    this.receivedAt = performance.now();
    try {
      this.frames.push(chunk, this.take);
    } catch (error) {
      // Closes the connection on a protocol error.
      this.socket.destroy(error as Error);
    }
  }

  private readonly take = (frame: MuxFrame): void => {
    if (frame.kind === FrameKind.ping) this.send(FrameKind.pong, 0);
    else if (frame.kind !== FrameKind.pong) this.onFrame(frame);
  };

  private feel(): void {
    const silence = performance.now() - this.receivedAt;
    if (silence >= DEAD_MS) this.socket.destroy();
    else if (silence >= SILENCE_MS) this.send(FrameKind.ping, 0);
  }
}
