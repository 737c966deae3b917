import type { ProxyAnswer } from '@switchyard/contracts';
import { AppError } from '@switchyard/kernel';
import type { AnswerReader, ClientRequest } from '@switchyard/service';
import type { ApiReply } from '../http/api-request';
import { notAvailable } from './relay-unavailable-error';
import type { RelayedAnswer } from './relay-response-stream';

type Raw = ApiReply['raw'];

/** Reads the response of one multiplexed call. Data is requested only as fast as the client reads. */
export class RelayResponse implements AnswerReader, RelayedAnswer {
  private answerHead: ProxyAnswer | undefined;
  private call: ClientRequest | undefined;
  private raw: Raw | undefined;
  /** Data received before it was requested. */
  private early: Buffer[] = [];
  private isEnded = false;
  private broken: Error | undefined;
  /** Bytes that the client's connection holds. */
  private buffered = 0;
  private settle: { resolve: () => void; reject: (error: Error) => void } | undefined;

  constructor(
    private readonly onHead: (answer: RelayedAnswer) => void,
    private readonly onRefused: (error: unknown) => void,
  ) {}

  get head(): ProxyAnswer {
    if (!this.answerHead) throw new Error('the head of the answer is not here yet');
    return this.answerHead;
  }

  follow(call: ClientRequest): void {
    this.call = call;
  }

  answer(head: Buffer, bytes: Buffer, isWhole: boolean): void {
    this.answerHead = JSON.parse(head.toString()) as ProxyAnswer;
    // It lies in what the socket has brought, with much else.
    if (bytes.length > 0) this.early.push(Buffer.from(bytes));
    this.isEnded = isWhole;
    this.onHead(this);
  }

  bytes(bytes: Buffer): void {
    if (this.raw) this.pass(this.raw, bytes);
    else this.early.push(Buffer.from(bytes));
  }

  end(): void {
    this.isEnded = true;
    this.finish();
  }

  fail(reason: string | null): void {
    const error = reason === null ? notAvailable(new Error('the line to the relay broke')) : refusalIn(reason);
    if (!this.answerHead) {
      this.onRefused(error);
      return;
    }
    this.broken = new Error('the relay broke the answer off', { cause: error });
    this.finish();
  }

  pour(raw: Raw): Promise<void> | undefined {
    this.raw = raw;
    const early = this.early;
    this.early = [];
    if (this.isEnded && early.length <= 1) {
      raw.end(early[0]);
      return undefined;
    }
    for (const bytes of early) this.pass(raw, bytes);
    return new Promise((resolve, reject) => {
      this.settle = { resolve, reject };
      raw.on('drain', this.taken);
      if (this.isEnded || this.broken) this.finish();
    });
  }

  drop(): void {
    this.call?.abort();
    this.left();
  }

  /** The client has disconnected: the end is not awaited. */
  left(): void {
    this.early = [];
    this.raw?.off('drain', this.taken);
    this.settle?.resolve();
  }

  private pass(raw: Raw, bytes: Buffer): void {
    if (raw.destroyed || raw.writableEnded) {
      this.drop();
      return;
    }
    // A connection that takes it at once has copied it; another one keeps it, and the whole piece of the socket with
    // it.
    const isTaken = raw.write(raw.writableNeedDrain || raw.writableLength > 0 ? Buffer.from(bytes) : bytes);
    if (isTaken) this.call?.took(bytes.length);
    else this.buffered += bytes.length;
  }

  private readonly taken = (): void => {
    const { buffered } = this;
    this.buffered = 0;
    if (buffered > 0) this.call?.took(buffered);
  };

  private finish(): void {
    const { raw, settle, broken } = this;
    if (!raw || !settle) return;
    raw.off('drain', this.taken);
    if (broken) settle.reject(broken);
    else {
      raw.end();
      settle.resolve();
    }
  }
}

function refusalIn(reason: string): AppError {
  try {
    return AppError.fromJSON(JSON.parse(reason));
  } catch (error) {
    return notAvailable(error);
  }
}
