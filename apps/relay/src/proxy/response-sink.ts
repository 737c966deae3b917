import type { ServerResponse } from 'node:http';
import { type ProxyAnswer, RELAY_PROXY_HEADERS } from '@switchyard/contracts';
import type { AppError } from '@switchyard/kernel';
import type { ServedCall } from '@switchyard/service';

/** Where an answer is written. */
export interface ResponseSink {
  readonly isClosed: boolean;
  readonly isAnswered: boolean;
  /** The head, and the first bytes. */
  answer(head: ProxyAnswer, bytes: Uint8Array): void;
  /** Undefined where more may come at once. */
  write(bytes: Uint8Array): Promise<void> | undefined;
  drained(): Promise<void> | undefined;
  end(): void;
  /** Refuses, or breaks off what has begun. */
  fail(error: AppError): void;
}

/** An answer over a road. */
export class MuxOut implements ResponseSink {
  constructor(private readonly call: ServedCall) {}

  get isClosed(): boolean {
    return this.call.isCancelled;
  }

  get isAnswered(): boolean {
    return this.call.isAnswered;
  }

  answer(head: ProxyAnswer, bytes: Uint8Array): void {
    const json = JSON.stringify(head);
    if (Number(head.headers['content-length']) === bytes.byteLength) this.call.answerWhole(json, bytes);
    else {
      this.call.answer(json);
      void this.call.write(bytes);
    }
  }

  write(bytes: Uint8Array): Promise<void> | undefined {
    return this.call.write(bytes);
  }

  drained(): Promise<void> | undefined {
    return this.call.drained();
  }

  end(): void {
    this.call.end();
  }

  fail(error: AppError): void {
    this.call.fail(JSON.stringify(error));
  }
}

/** A response over HTTP, see `headOfHttp`. */
export class HttpOut implements ResponseSink {
  constructor(private readonly response: ServerResponse) {}

  get isClosed(): boolean {
    return this.response.destroyed;
  }

  get isAnswered(): boolean {
    return this.response.headersSent;
  }

  answer({ status, headers }: ProxyAnswer, bytes: Uint8Array): void {
    this.response.writeHead(status, headers);
    if (bytes.byteLength === 0) this.response.flushHeaders();
    else this.response.write(bytes);
  }

  write(bytes: Uint8Array): Promise<void> | undefined {
    return this.response.write(bytes) ? undefined : this.drained();
  }

  drained(): Promise<void> | undefined {
    const { response } = this;
    if (response.destroyed || !response.writableNeedDrain) return undefined;
    return new Promise((resolve) => {
      const done = (): void => {
        response.off('drain', done).off('close', done);
        resolve();
      };
      response.once('drain', done).once('close', done);
    });
  }

  end(): void {
    this.response.end();
  }

  fail(error: AppError): void {
    if (this.response.headersSent) {
      this.response.destroy();
      return;
    }
    const headers = { 'content-type': 'application/json', [RELAY_PROXY_HEADERS.error]: error.code };
    this.response.writeHead(error.status, headers).end(JSON.stringify(error));
  }
}
