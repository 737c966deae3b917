import { FrameKind } from './mux-frames';
import { CREDIT_BYTES } from './mux-limits';
import type { MuxConnection } from './mux-connection';

/** Reads the response of a call. Called in order: `answer`, `bytes` any number of times, `end`; `fail` at any time. */
export interface AnswerReader {
  /** The bytes are the beginning of the answer, or all of it. */
  answer(head: Buffer, bytes: Buffer, isWhole: boolean): void;
  bytes(bytes: Buffer): void;
  end(): void;
  /** The other side's reason; null if the connection broke. */
  fail(reason: string | null): void;
}

/** One call at the side that makes it. */
export class ClientRequest {
  private taken = 0;
  isOver = false;

  constructor(
    private readonly line: MuxConnection,
    private readonly number: number,
    readonly reader: AnswerReader,
    private readonly onEnd: () => void,
  ) {}

  /** So many bytes have left the process: as many more may come. */
  took(bytes: number): void {
    this.taken += bytes;
    if (this.taken < CREDIT_BYTES || this.isOver) return;
    const credit = Buffer.allocUnsafe(4);
    credit.writeUInt32BE(this.taken, 0);
    this.taken = 0;
    this.line.send(FrameKind.credit, this.number, credit);
  }

  /** Nothing more of it is wanted, and the reader hears nothing more. */
  abort(): void {
    if (this.isOver) return;
    this.over();
    this.line.send(FrameKind.abort, this.number);
  }

  over(): void {
    this.isOver = true;
    this.onEnd();
  }
}
