import type { Dispatcher } from 'undici';
import type { BatchedStreamReads } from './batched-stream-reads';

type Controller = Dispatcher.DispatchController;
type Chunk = IteratorResult<Buffer, undefined>;

interface PendingRead {
  resolve: (chunk: Chunk) => void;
  reject: (error: unknown) => void;
}

interface WholeReader {
  most: number;
  resolve: (body: Buffer | null) => void;
  reject: (error: unknown) => void;
}

/** Callbacks for the progress of a request. */
interface AnswerListener {
  onOut: () => void;
  /** Once: its connection is free again, or gone. */
  onClose: () => void;
}

/** So much of a body waits for its reader; then the upstream waits too. */
const WAITING_BYTES = 64 * 1024;
const END: Chunk = { done: true, value: undefined };

/**
 * One question to an upstream, and its answer: the head once, and then its bytes, whole or one after the other. It
 * hears the connection itself: `request` of undici, with its stream around each body, takes three times as much.
 */
export class UpstreamResponseReader
  implements Dispatcher.DispatchHandler, AsyncIterable<Buffer>, AsyncIterator<Buffer>
{
  status = 0;
  headers: Record<string, string | string[] | undefined> = {};
  /** The request has a connection and was written. A caller who leaves before that has cost the upstream nothing. */
  isOut = false;
  private controller: Controller | undefined;
  private begun: { resolve: () => void; reject: (error: unknown) => void } | undefined;
  private reader: PendingRead | undefined;
  private wholeReader: WholeReader | undefined;
  private waiting: Buffer[] = [];
  private size = 0;
  /** The reader may have what waits. */
  private isReady = false;
  private reads: BatchedStreamReads | undefined;
  private isOver = false;
  private failure: { error: Error } | undefined;

  constructor(
    private readonly signal: AbortSignal,
    private readonly listener: AnswerListener,
  ) {}

  /** Resolves when the head of the answer is here. */
  ask(dispatcher: Dispatcher, question: Dispatcher.DispatchOptions): Promise<void> {
    return new Promise((resolve, reject) => {
      this.begun = { resolve, reject };
      if (this.signal.aborted) {
        this.over(this.signal.reason);
        return;
      }
      this.signal.addEventListener('abort', this.leave, { once: true });
      dispatcher.dispatch(question, this);
    });
  }

  /** The body, or null when it is larger than that. */
  whole(most: number): Promise<Buffer | null> {
    return new Promise((resolve, reject) => {
      this.wholeReader = { most, resolve, reject };
      if (this.size > most) this.tooLarge(this.wholeReader);
      else if (this.isOver) this.settleWhole(this.wholeReader);
      else this.controller?.resume();
    });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** From now on its pieces may be read in batches with those of other streams. */
  readWith(reads: BatchedStreamReads): void {
    this.reads = reads;
  }

  next(): Promise<Chunk> {
    if (this.waiting.length > 0 && (this.isReady || this.isOver)) return Promise.resolve(this.take());
    if (this.failure) return Promise.reject(this.failure.error);
    if (this.isOver) return Promise.resolve(END);
    return new Promise((resolve, reject) => {
      this.reader = { resolve, reject };
    });
  }

  return(): Promise<Chunk> {
    this.destroy();
    return Promise.resolve(END);
  }

  /** Nothing more of it is wanted. */
  destroy(): void {
    this.close(new Error('the answer is not wanted any more'));
  }

  onRequestStart(controller: Controller): void {
    // It has waited for a connection, and its caller has left meanwhile.
    if (this.failure) {
      controller.abort(this.failure.error);
      return;
    }
    this.controller = controller;
    this.isOut = true;
    this.listener.onOut();
  }

  onResponseStart(_controller: Controller, status: number, headers: UpstreamResponseReader['headers']): void {
    if (status < 200 || this.isOver) return;
    this.status = status;
    this.headers = headers;
    this.begun?.resolve();
  }

  onResponseData(controller: Controller, chunk: Buffer): void {
    if (this.isOver) return;
    const { wholeReader } = this;
    this.waiting.push(chunk);
    this.size += chunk.length;
    if (wholeReader) {
      if (this.size > wholeReader.most) this.tooLarge(wholeReader);
    } else if (this.size >= WAITING_BYTES) {
      controller.pause();
      this.passOn();
    } else if (this.reads) this.reads.mark(this);
    else this.passOn();
  }

  /** Passes received pieces to the reader, now or at its next read. */
  passOn(): void {
    this.isReady = true;
    const { reader } = this;
    if (!reader || this.waiting.length === 0) return;
    this.reader = undefined;
    reader.resolve(this.take());
  }

  onResponseEnd(): void {
    this.over();
  }

  onResponseError(_controller: Controller, error: Error): void {
    this.over(error);
  }

  private readonly leave = (): void => {
    this.close(this.signal.reason);
  };

  private close(reason: unknown): void {
    if (this.isOver) return;
    // The reader is gone: unread pieces are dropped and not metered.
    this.waiting = [];
    this.over(reason);
    this.controller?.abort(reason as Error);
  }

  private over(error?: unknown): void {
    if (this.isOver) return;
    this.isOver = true;
    this.signal.removeEventListener('abort', this.leave);
    // Before the end, what came before it.
    this.passOn();
    const { begun, reader, wholeReader } = this;
    if (error !== undefined) {
      this.failure = { error: error as Error };
      begun?.reject(error);
      reader?.reject(error);
    } else reader?.resolve(END);
    if (wholeReader) this.settleWhole(wholeReader);
    this.listener.onClose();
  }

  /** All that has come. */
  private take(): Chunk {
    const value = this.joined();
    this.waiting = [];
    this.size = 0;
    this.isReady = false;
    this.controller?.resume();
    return { done: false, value };
  }

  private joined(): Buffer {
    const [first] = this.waiting;
    return first && this.waiting.length === 1 ? first : Buffer.concat(this.waiting, this.size);
  }

  private settleWhole({ resolve, reject }: WholeReader): void {
    if (this.failure) reject(this.failure.error);
    else resolve(this.joined());
  }

  private tooLarge({ resolve }: WholeReader): void {
    resolve(null);
    this.destroy();
  }
}
