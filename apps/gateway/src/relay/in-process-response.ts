import { AsyncLocalStorage } from 'node:async_hooks';
import type { ProxyAnswer, ProxyReader } from '@switchyard/contracts';
import type { AppError } from '@switchyard/kernel';
import type { ApiReply } from '../http/api-request';
import type { RelayedAnswer } from './relay-response-stream';

type Raw = ApiReply['raw'];
type InContext = ReturnType<typeof AsyncLocalStorage.snapshot>;

/** Longer bytes are cut, so that a client that reads slowly has no more than this in its connection. */
const PIECE_BYTES = 64 * 1024;

/** Reads the response of a relay in this process. Its bytes are written to the client's connection as that takes them. */
export class InProcessResponse implements ProxyReader, RelayedAnswer {
  private answerHead: ProxyAnswer | undefined;
  private call: { abort(): void } | undefined;
  private raw: Raw | undefined;
  private unsent: Uint8Array[] = [];
  private isEnded = false;
  private broken: Error | undefined;
  private settle: { resolve: () => void; reject: (error: Error) => void } | undefined;
  private waiting: (() => void)[] = [];

  constructor(
    private readonly onHead: (answer: RelayedAnswer) => void,
    private readonly onRefused: (error: unknown) => void,
    /** The gateway's, for what the relay makes the connection do. */
    private readonly inContext: InContext,
  ) {}

  get head(): ProxyAnswer {
    if (!this.answerHead) throw new Error('the head of the answer is not here yet');
    return this.answerHead;
  }

  follow(call: { abort(): void }): void {
    this.call = call;
  }

  answer(head: ProxyAnswer, bytes: Uint8Array): void {
    this.answerHead = head;
    if (bytes.byteLength > 0) this.unsent.push(bytes);
    this.isEnded = bytes.byteLength <= PIECE_BYTES && Number(head.headers['content-length']) === bytes.byteLength;
    this.onHead(this);
  }

  write(bytes: Uint8Array): Promise<void> | undefined {
    this.unsent.push(bytes);
    if (this.raw) this.inContext(this.pump);
    return this.drained();
  }

  drained(): Promise<void> | undefined {
    if (this.isEnded || (this.unsent.length === 0 && this.raw?.writableNeedDrain !== true)) return undefined;
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  end(): void {
    this.isEnded = true;
    if (this.settle) this.inContext(this.pump);
  }

  fail(error: AppError): void {
    if (!this.answerHead) {
      this.onRefused(error);
      return;
    }
    this.broken = new Error('the relay broke the answer off', { cause: error });
    this.unsent = [];
    this.letWrite();
    if (this.settle) this.finish();
  }

  pour(raw: Raw): Promise<void> | undefined {
    this.raw = raw;
    if (this.isEnded && this.unsent.length <= 1) {
      raw.end(this.unsent[0]);
      return undefined;
    }
    raw.on('drain', this.pump);
    return new Promise((resolve, reject) => {
      this.settle = { resolve, reject };
      this.pump();
    });
  }

  drop(): void {
    this.call?.abort();
    this.left();
  }

  /** The client has disconnected: the end is not awaited. */
  left(): void {
    this.unsent = [];
    this.raw?.off('drain', this.pump);
    this.letWrite();
    this.settle?.resolve();
  }

  private readonly pump = (): void => {
    const { raw } = this;
    if (!raw) return;
    for (let [next] = this.unsent; next && !raw.writableNeedDrain; [next] = this.unsent) {
      if (raw.destroyed || raw.writableEnded) {
        this.drop();
        return;
      }
      raw.write(next.byteLength > PIECE_BYTES ? next.subarray(0, PIECE_BYTES) : next);
      if (next.byteLength > PIECE_BYTES) this.unsent[0] = next.subarray(PIECE_BYTES);
      else this.unsent.shift();
    }
    if (this.unsent.length > 0) return;
    if (!raw.writableNeedDrain) this.letWrite();
    if (this.isEnded || this.broken) this.finish();
  };

  private finish(): void {
    const { raw, settle, broken } = this;
    if (!raw || !settle) return;
    raw.off('drain', this.pump);
    if (broken) settle.reject(broken);
    else {
      raw.end();
      settle.resolve();
    }
  }

  private letWrite(): void {
    if (this.waiting.length === 0) return;
    const { waiting } = this;
    this.waiting = [];
    for (const go of waiting) go();
  }
}
