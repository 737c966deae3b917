import { AppError } from '@switchyard/kernel';
import type { RequestInit as UndiciInit } from 'undici';
import type { Egress } from './outbound-http';
import { loadUndici } from './load-undici';

export interface GuardedFetchLimits {
  maxBytes: number;
}

export type SpaceFetch = (spaceId: string, input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** A `fetch` for libraries that bring their own protocol: same guard, no redirects, bounded answers. */
export function guardedFetch(egress: Egress, limits: GuardedFetchLimits): SpaceFetch {
  const undici = loadUndici();
  const guarded: SpaceFetch = async (spaceId, input, init) => {
    const url = egress.policy.checkUrl(input instanceof Request ? input.url : input);
    const options = { ...init, redirect: 'manual', dispatcher: egress.dispatcherOf(spaceId) } as unknown as UndiciInit;
    const response = await undici.fetch(url, options);
    if (response.status >= 300 && response.status < 400) {
      await response.body?.cancel();
      throw new AppError('SERVICE_UNAVAILABLE', 'The server redirects, which is not followed here.');
    }
    const body = response.body as ReadableStream<Uint8Array> | null;
    const isBare = body === null || [204, 205, 304].includes(response.status);
    return new Response(isBare ? null : body.pipeThrough(bounded(limits.maxBytes)), {
      status: response.status,
      statusText: response.statusText,
      headers: [...response.headers] as [string, string][],
    });
  };
  return guarded;
}

function bounded(maxBytes: number): TransformStream<Uint8Array, Uint8Array> {
  let size = 0;
  return new TransformStream({
    transform(chunk, controller) {
      size += chunk.length;
      if (size > maxBytes)
        controller.error(new AppError('SERVICE_UNAVAILABLE', `The server sent more than ${maxBytes} bytes.`));
      else controller.enqueue(chunk);
    },
  });
}
