import { AppError, isPlainObject } from '@switchyard/kernel';
import { StreamContract, checkOpen } from '@switchyard/contracts';
import { streamInterrupted } from './stream-interrupted-error';
import { Control, Entry, WireEntry, costOf } from '../transport/frame-encoding';

interface BufferedFrame {
  bytes: Uint8Array;
  cost: number;
}

/**
 * Reading end of a stream. Frames arrive in order, exactly once; unread ones are limited by the stream's window.
 * Leaving the loop, or `cancel`, stops the server's generator.
 */
export class StreamReader<F> implements AsyncIterable<F> {
  server: string | undefined;
  readonly openedAt = Date.now();
  receivedAt = this.openedAt;
  private readonly queue: BufferedFrame[] = [];
  private owed = 0;
  private seen = 0;
  private ended = false;
  private failure: Error | undefined;
  private wake: (() => void) | undefined;
  private order: Promise<void> | undefined;
  private begin!: { resolve: () => void; reject: (error: Error) => void };
  private readonly beginning: Promise<void>;

  constructor(
    readonly id: string,
    private readonly contract: StreamContract<object, F>,
    private readonly send: (control: Control) => void,
    /** Called once at the end, with the failure if there was one. */
    private readonly onEnd: (failure?: Error) => void,
    private readonly onTaken?: () => void,
  ) {
    this.beginning = new Promise((resolve, reject) => {
      this.begin = { resolve, reject };
    });
    this.beginning.catch(() => undefined);
  }

  /** Resolves at the first frame (or an empty end), rejects at the first error. */
  begun(): Promise<void> {
    return this.beginning;
  }

  take(entry: WireEntry): void {
    this.receivedAt = Date.now();
    if (!this.inOrder(entry)) return;
    if (this.order) {
      this.order = this.order
        .then(() => {
          this.apply(entry);
        })
        .catch((error: unknown) => {
          this.failWith(error);
        });
      return;
    }
    this.apply(entry);
  }

  /** A frame larger than a message is fetched in chunks; later frames wait for it. */
  defer(entry: WireEntry, bytes: Promise<Uint8Array>): void {
    this.receivedAt = Date.now();
    // May fail after the reader has ended.
    bytes.catch(() => undefined);
    if (!this.inOrder(entry)) return;
    const before = this.order ?? Promise.resolve();
    const step: Promise<void> = before
      .then(() => bytes)
      .then((payload) => {
        this.apply({ ...entry, kind: Entry.frame, payload });
      })
      .catch((error: unknown) => {
        this.failWith(error);
      })
      .finally(() => {
        if (this.order === step) this.order = undefined;
      });
    this.order = step;
  }

  /**
   * Core NATS may drop messages under stress: a gap ends the stream with an error. Duplicates, as around a reconnect,
   * are ignored.
   */
  private inOrder(entry: WireEntry): boolean {
    const counted = entry.kind === Entry.frame || entry.kind === Entry.claim;
    if (!counted && entry.kind !== Entry.end) return true;
    if (entry.count > this.seen) {
      this.fail(streamInterrupted());
      return false;
    }
    if (counted && entry.count < this.seen) return false;
    if (counted) this.seen += 1;
    return true;
  }

  private apply(entry: WireEntry): void {
    switch (entry.kind) {
      case Entry.open:
        this.server = Buffer.from(entry.payload).toString();
        this.onTaken?.();
        if (this.ended) this.send({ kind: 'cancel', stream: this.id });
        return;
      case Entry.frame:
        if (this.ended) return;
        this.queue.push({ bytes: entry.payload, cost: costOf(entry.payload.byteLength) });
        this.begin.resolve();
        this.wake?.();
        return;
      case Entry.end:
        this.finish();
        return;
      case Entry.error:
        this.fail(AppError.fromJSON(JSON.parse(Buffer.from(entry.payload).toString())));
        return;
      case Entry.alive:
      case Entry.claim:
        return;
    }
  }

  private finish(): void {
    this.ended = true;
    this.onEnd(this.failure);
    this.begin.resolve();
    this.wake?.();
  }

  private failWith(error: unknown): void {
    this.fail(error instanceof Error ? error : new Error(String(error)));
  }

  fail(error: Error): void {
    if (this.ended) return;
    this.failure = error;
    this.begin.reject(error);
    if (this.server) this.send({ kind: 'cancel', stream: this.id });
    this.finish();
  }

  /** Ends the server's generator. */
  cancel(): void {
    if (this.ended) return;
    this.send({ kind: 'cancel', stream: this.id });
    this.queue.length = 0;
    // Without the server's name, `apply(open)` cancels later.
    if (this.server) this.finish();
    else {
      this.ended = true;
      this.begin.resolve();
      this.wake?.();
      setTimeout(() => {
        this.onEnd();
      }, 30_000).unref();
    }
  }

  private decode(bytes: Uint8Array): F {
    if (this.contract.frame === 'bytes') return bytes as F;
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();
    if (this.contract.frame === 'text') return text as F;
    const value: unknown = JSON.parse(text);
    if (isPlainObject(value)) checkOpen(this.contract.frame, value);
    return value as F;
  }

  private give(): F | undefined {
    const buffered = this.queue.shift();
    if (!buffered) return undefined;
    this.owed += buffered.cost;
    if (this.owed >= this.contract.window / 2) {
      this.send({ kind: 'credit', stream: this.id, credit: this.owed });
      this.owed = 0;
    }
    return this.decode(buffered.bytes);
  }

  /** Frames that have already arrived. */
  takeReady(): F[] {
    const frames: F[] = [];
    for (let frame = this.give(); frame !== undefined; frame = this.give()) frames.push(frame);
    return frames;
  }

  /** Waits for frames; false at the end of the stream. Throws its failure. */
  async more(): Promise<boolean> {
    while (this.queue.length === 0) {
      if (this.failure) throw this.failure;
      if (this.ended) return false;
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
      this.wake = undefined;
    }
    return true;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<F, void, undefined> {
    try {
      while (await this.more()) {
        const frame = this.give();
        if (frame !== undefined) yield frame;
      }
    } finally {
      this.cancel();
    }
  }
}
