import { AsyncLocalStorage } from 'node:async_hooks';
import { AppError, ValueCounter } from '@switchyard/kernel';
import type { SpaceFetch } from '@switchyard/service';

/** How much all answers of one use of a connection may be together. */
export interface AnswerLimits {
  bytes: number;
  /** JSON values: a list of empty objects takes twenty times its bytes. */
  values: number;
}

/** The limits of one use of a connection: its time, and the size of its answers. */
export class McpAllowance {
  private bytes = 0;
  private values = 0;

  constructor(
    readonly spaceId: string,
    readonly signal: AbortSignal,
    readonly most: AnswerLimits,
  ) {}

  take({ bytes, values }: AnswerLimits): void {
    this.bytes += bytes;
    this.values += values;
    if (this.bytes > this.most.bytes)
      throw new AppError('SERVICE_UNAVAILABLE', `The server sent more than ${this.most.bytes} bytes.`);
    if (this.values > this.most.values)
      throw new AppError('SERVICE_UNAVAILABLE', `The server sent more than ${this.most.values} JSON values.`);
  }
}

/**
 * Enforces the allowance on every request sent under it, independent of the library in between: an abort reaches the
 * socket, also where the protocol only sends a notification, and all bodies count together.
 */
export class McpResponseLimiter {
  private readonly allowances = new AsyncLocalStorage<McpAllowance>();

  constructor(private readonly send: SpaceFetch) {}

  under<T>(allowance: McpAllowance, work: () => Promise<T>): Promise<T> {
    return this.allowances.run(allowance, work);
  }

  readonly fetch = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const allowance = this.allowances.getStore();
    if (!allowance) throw new Error('a request to an MCP server without an allowance');
    const signal = init?.signal ? AbortSignal.any([init.signal, allowance.signal]) : allowance.signal;
    const response = await this.send(allowance.spaceId, input, { ...init, signal });
    if (response.body === null) return response;
    const counter = new ValueCounter();
    const counted = response.body.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          allowance.take({ bytes: chunk.length, values: counter.count(chunk) });
          controller.enqueue(chunk);
        },
      }),
    );
    const { status, statusText, headers } = response;
    return new Response(counted, { status, statusText, headers });
  };
}
