import { createParser } from 'eventsource-parser';

/**
 * The `data` of server-sent events as they arrive. A connection that says nothing for as long as `silenceMs` says, not even a
 * heartbeat, counts as broken. Leaving the loop closes it, and so does the signal, with its reason.
 */
export async function* readSse(
  body: ReadableStream<Uint8Array>,
  silenceMs: () => number,
  broken?: AbortSignal,
): AsyncGenerator<string> {
  const arrived: string[] = [];
  const parser = createParser({ onEvent: (event) => arrived.push(event.data) });
  const reader = body.getReader();
  const decoder = new TextDecoder();
  try {
    for (;;) {
      const chunk = await within(reader.read(), silenceMs(), broken);
      if (chunk.done) return;
      parser.feed(decoder.decode(chunk.value, { stream: true }));
      yield* arrived.splice(0);
    }
  } finally {
    void reader.cancel().catch(() => undefined);
  }
}

function within<T>(promise: Promise<T>, ms: number, broken?: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const leave = (): void => reject(broken?.reason as Error);
    const timer = setTimeout(() => {
      reject(new Error(`nothing arrived for ${ms} ms`));
    }, ms);
    if (broken?.aborted) leave();
    broken?.addEventListener('abort', leave, { once: true });
    promise.then(resolve, reject).finally(() => {
      clearTimeout(timer);
      broken?.removeEventListener('abort', leave);
    });
  });
}
