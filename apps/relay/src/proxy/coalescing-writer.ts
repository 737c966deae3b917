import type { ResponseSink } from './response-sink';

const APART_MS = 2;
const FULL_BYTES = 64 * 1024;

/**
 * Writes at once, unless it has just written: chunks within two milliseconds of a write go out together. Models
 * send a token every few dozen milliseconds and are not held back; a stream that rushes costs one system call for many
 * events, here and at every hop behind.
 */
export class CoalescingWriter {
  private waiting: Uint8Array[] = [];
  private size = 0;
  private wroteAt = -Infinity;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly out: Pick<ResponseSink, 'isClosed' | 'write' | 'drained'>,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Resolves when more may come. */
  write(bytes: Uint8Array): Promise<void> | undefined {
    this.waiting.push(bytes);
    this.size += bytes.byteLength;
    if (this.size >= FULL_BYTES || (!this.timer && this.now() - this.wroteAt >= APART_MS)) return this.flush();
    this.timer ??= setTimeout(() => void this.flush(), APART_MS);
    return this.out.drained();
  }

  /** Bytes went out another way. */
  wrote(): void {
    this.wroteAt = this.now();
  }

  /** Writes what waits; afterwards the stream can be ended. */
  flush(): Promise<void> | undefined {
    clearTimeout(this.timer);
    this.timer = undefined;
    const [first] = this.waiting;
    if (!first || this.out.isClosed) return undefined;
    const bytes = this.waiting.length === 1 ? first : Buffer.concat(this.waiting, this.size);
    this.waiting = [];
    this.size = 0;
    this.wroteAt = this.now();
    return this.out.write(bytes);
  }
}
