import type { ProxyAnswer } from '@switchyard/contracts';
import type { ResponseSink } from './response-sink';
import { CoalescingWriter } from './coalescing-writer';

/** One answer as it is written: its head once, and then its bytes, no faster than its reader takes them. */
export class CoalescingResponse {
  private readonly writer: CoalescingWriter;

  constructor(private readonly out: ResponseSink) {
    this.writer = new CoalescingWriter(out);
  }

  /** The client has disconnected. */
  get isClosed(): boolean {
    return this.out.isClosed;
  }

  /** The head, and the first bytes. Undefined where more may come at once. */
  begin(head: ProxyAnswer, bytes: Uint8Array): Promise<void> | undefined {
    this.out.answer(head, bytes);
    if (bytes.byteLength > 0) this.writer.wrote();
    return this.out.drained();
  }

  write(bytes: Uint8Array): Promise<void> | undefined {
    return bytes.byteLength === 0 ? undefined : this.writer.write(bytes);
  }

  end(): void {
    void this.writer.flush();
    this.out.end();
  }
}
