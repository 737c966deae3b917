import { FrameKind, headPrefix } from './mux-frames';
import type { MuxConnection } from './mux-connection';
import { PIECE_BYTES, WINDOW_BYTES } from './mux-limits';

/** One call at the side that answers it. */
export class ServerRequest {
  private readonly cancelled = new AbortController();
  private body: Buffer[] = [];
  private bodyBytes = 0;
  private isBodyWhole = false;
  private mostBody = Infinity;
  private onBody: ((body: Buffer | null) => void) | undefined;
  private unsent: Uint8Array[] = [];
  private free = WINDOW_BYTES;
  private isEnding = false;
  private isOver = false;
  private hasBegun = false;
  private drains: (() => void)[] = [];

  constructor(
    private readonly line: MuxConnection,
    private readonly number: number,
    /** The caller's header, before its body. */
    readonly head: Buffer,
    private readonly onEnd: () => void,
  ) {}

  /** Of a caller that wants no more, or whose line is gone. */
  get signal(): AbortSignal {
    return this.cancelled.signal;
  }

  get isCancelled(): boolean {
    return this.cancelled.signal.aborted;
  }

  /** Whether the head of an answer has been said: a failure can then only break off. */
  get isAnswered(): boolean {
    return this.hasBegun;
  }

  /** The whole body, or null when it is larger than that. */
  readBody(most: number): Promise<Buffer | null> | Buffer | null {
    this.mostBody = most;
    if (this.bodyBytes > most) return null;
    if (this.isBodyWhole) return this.takeBody();
    return new Promise((resolve) => {
      this.onBody = resolve;
      if (this.isCancelled) resolve(null);
    });
  }

  answer(head: string): void {
    this.hasBegun = true;
    this.line.send(FrameKind.answer, this.number, headPrefix(head));
  }

  /** An answer that is whole. */
  answerWhole(head: string, bytes: Uint8Array): void {
    if (bytes.byteLength > PIECE_BYTES) {
      this.answer(head);
      void this.write(bytes);
      this.end();
      return;
    }
    this.hasBegun = true;
    this.line.send(FrameKind.answerWhole, this.number, headPrefix(head), bytes);
    this.over();
  }

  /** Undefined where more may come at once. */
  write(bytes: Uint8Array): Promise<void> | undefined {
    if (this.isCancelled || this.isOver || bytes.byteLength === 0) return undefined;
    this.unsent.push(bytes);
    this.pump();
    return this.drained();
  }

  drained(): Promise<void> | undefined {
    if (this.unsent.length === 0 || this.isCancelled) return undefined;
    return new Promise((resolve) => this.drains.push(resolve));
  }

  end(): void {
    this.isEnding = true;
    this.pump();
  }

  /** Refuses, or breaks off what has begun. */
  fail(reason: string): void {
    if (this.isOver) return;
    this.unsent = [];
    if (!this.isCancelled) this.line.send(FrameKind.fail, this.number, Buffer.from(reason));
    this.over();
    this.letWrite();
  }

  /** More of the body; `bytes` are copied, they lie in what the socket has brought. */
  take(bytes: Buffer, isLast: boolean): void {
    this.bodyBytes += bytes.length;
    if (this.bodyBytes > this.mostBody) {
      this.body = [];
      this.onBody?.(null);
      return;
    }
    if (bytes.length > 0) this.body.push(Buffer.from(bytes));
    this.isBodyWhole = isLast;
    if (isLast && this.onBody) this.onBody(this.takeBody());
  }

  credit(bytes: number): void {
    this.free += bytes;
    this.pump();
  }

  leave(): void {
    this.unsent = [];
    this.cancelled.abort();
    this.onBody?.(null);
    this.letWrite();
  }

  private takeBody(): Buffer {
    const [first] = this.body;
    const whole = this.body.length === 1 && first ? first : Buffer.concat(this.body);
    this.body = [];
    return whole;
  }

  private pump(): void {
    for (let [next] = this.unsent; next && this.free > 0; [next] = this.unsent) {
      const length = Math.min(next.byteLength, this.free, PIECE_BYTES);
      this.line.send(FrameKind.bytes, this.number, length === next.byteLength ? next : next.subarray(0, length));
      this.free -= length;
      if (length === next.byteLength) this.unsent.shift();
      else this.unsent[0] = next.subarray(length);
    }
    if (this.unsent.length > 0) return;
    this.letWrite();
    if (!this.isEnding || this.isCancelled || this.isOver) return;
    this.line.send(FrameKind.end, this.number);
    this.over();
  }

  private over(): void {
    this.isOver = true;
    this.onEnd();
  }

  private letWrite(): void {
    if (this.drains.length === 0) return;
    const waiting = this.drains;
    this.drains = [];
    for (const go of waiting) go();
  }
}
