import type { ServerResponse } from 'node:http';
import { seqOfFrame } from '@switchyard/contracts';
import type { UnreadResponses } from '../limits/unread-responses';

const HEARTBEAT_MS = 15_000;

/** One frame, or several joined by line breaks, as server-sent events. */
export function sseText(frames: readonly string[]): string {
  let text = '';
  for (const joined of frames) {
    for (const frame of joined.includes('\n') ? joined.split('\n') : [joined])
      text += `id: ${seqOfFrame(frame)}\ndata: ${frame}\n\n`;
  }
  return text;
}

/** Writes an event stream to one client, never faster than it reads. */
export class SseWriter {
  private lastByteAt = Date.now();
  private heartbeat: NodeJS.Timeout | undefined;

  constructor(
    private readonly raw: ServerResponse,
    headers: Record<string, string | number | string[] | undefined>,
    /** Counts unsent bytes against the Space. */
    private readonly unread: UnreadResponses,
  ) {
    const defined = Object.entries(headers).filter(([, value]) => value !== undefined) as [
      string,
      string | number | string[],
    ][];
    raw.writeHead(200, {
      ...Object.fromEntries(defined),
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
    });
    // The first frames, where there are any, leave in one packet with the headers.
    raw.socket?.cork();
    raw.flushHeaders();
    process.nextTick(() => raw.socket?.uncork());
    raw.socket?.setNoDelay(true);
    this.heartbeatAfter(HEARTBEAT_MS);
    raw.once('close', () => {
      clearTimeout(this.heartbeat);
    });
  }

  get isOpen(): boolean {
    return !this.raw.destroyed && !this.raw.writableEnded;
  }

  /** Resolves when the client is ready for more; false when it is gone. */
  async write(text: string): Promise<boolean> {
    if (!this.isOpen) return false;
    this.lastByteAt = Date.now();
    if (this.raw.write(text)) return true;
    if (!this.unread.mayWait(this.raw)) {
      // The Space's readers let too much wait: this one is cut off, and can attach again where it stopped.
      this.raw.destroy();
      return false;
    }
    const { socket } = this.raw;
    const isOpen = await this.drained();
    this.unread.measure(socket);
    return isOpen;
  }

  end(text = ''): void {
    clearTimeout(this.heartbeat);
    if (this.isOpen) this.raw.end(text);
  }

  /** So long after the last byte. */
  private heartbeatAfter(ms: number): void {
    this.heartbeat = setTimeout(() => {
      const remainingMs = this.lastByteAt + HEARTBEAT_MS - Date.now();
      if (remainingMs <= 0 && this.raw.writableLength === 0) this.raw.write(': heartbeat\n\n');
      this.heartbeatAfter(remainingMs > 0 ? remainingMs : HEARTBEAT_MS);
    }, ms).unref();
  }

  private drained(): Promise<boolean> {
    return new Promise((resolve) => {
      const done = (): void => {
        this.raw.off('drain', done);
        this.raw.off('close', done);
        resolve(this.isOpen);
      };
      this.raw.on('drain', done);
      this.raw.on('close', done);
    });
  }
}
