import type { ProxyAnswer } from '@switchyard/contracts';
import type { AnswerOut } from './answer-out';
import { PacedWriter } from './paced-writer';

/** One answer as it is written: its head once, and then its bytes, no faster than its reader takes them. */
export class PacedAnswer {
  private readonly writer: PacedWriter;

  constructor(private readonly out: AnswerOut) {
    this.writer = new PacedWriter(out);
  }

  /** Nobody reads it any more. */
  get isGone(): boolean {
    return this.out.isGone;
  }

  /** The head, and the first bytes. Undefined where more may come at once. */
  begin(head: ProxyAnswer, bytes: Uint8Array): Promise<void> | undefined {
    this.out.answer(head, bytes);
    if (bytes.byteLength > 0) this.writer.wrote();
    return this.out.room();
  }

  write(bytes: Uint8Array): Promise<void> | undefined {
    return bytes.byteLength === 0 ? undefined : this.writer.write(bytes);
  }

  end(): void {
    void this.writer.flush();
    this.out.end();
  }
}
