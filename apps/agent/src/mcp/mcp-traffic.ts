import { AsyncLocalStorage } from 'node:async_hooks';
import { AppError } from '@switchyard/kernel';
import type { SpaceFetch } from '@switchyard/service';

/** What one use of a connection may cost a Space: its time, and the bytes of all answers together. */
export class McpAllowance {
  private used = 0;

  constructor(
    readonly spaceId: string,
    readonly signal: AbortSignal,
    readonly maxBytes: number,
  ) {}

  take(bytes: number): void {
    this.used += bytes;
    if (this.used > this.maxBytes)
      throw new AppError('SERVICE_UNAVAILABLE', `The server sent more than ${this.maxBytes} bytes.`);
  }
}

/**
 * Holds every request that is sent under an allowance to it, whatever the library between does: an abort reaches the
 * socket, also where the protocol only sends a notification, and all bodies count together.
 */
export class McpTraffic {
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
    const counted = response.body.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          allowance.take(chunk.length);
          controller.enqueue(chunk);
        },
      }),
    );
    const { status, statusText, headers } = response;
    return new Response(counted, { status, statusText, headers });
  };
}
