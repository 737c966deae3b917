import type { ProxyAnswer, ProxyReader } from '@switchyard/contracts';
import { AppError } from '@switchyard/kernel';
import type { ResponseSink } from './response-sink';

/** A call of the gateway in this process. Its reader hears nothing any more after it has left. */
export class InProcessCall implements ResponseSink {
  private readonly cancelled = new AbortController();
  private hasBegun = false;

  constructor(private readonly reader: ProxyReader) {}

  get signal(): AbortSignal {
    return this.cancelled.signal;
  }

  get isClosed(): boolean {
    return this.cancelled.signal.aborted;
  }

  get isAnswered(): boolean {
    return this.hasBegun;
  }

  answer(head: ProxyAnswer, bytes: Uint8Array): void {
    this.hasBegun = true;
    if (!this.isClosed) this.reader.answer(head, bytes);
  }

  write(bytes: Uint8Array): Promise<void> | undefined {
    return this.isClosed ? undefined : this.reader.write(bytes);
  }

  drained(): Promise<void> | undefined {
    return this.isClosed ? undefined : this.reader.drained();
  }

  end(): void {
    if (!this.isClosed) this.reader.end();
  }

  /** The reader gets what it would get over a connection: no cause and no stack of this service. */
  fail(error: AppError): void {
    if (!this.isClosed) this.reader.fail(AppError.fromJSON(JSON.parse(JSON.stringify(error))));
  }

  /** Its reader wants no more. */
  abort(): void {
    this.cancelled.abort();
  }
}
