import type { NatsMessage } from './connection';

interface WaitingFrame {
  bytes: Uint8Array;
  /** Confirms this frame and all before it. */
  confirm: (() => void) | undefined;
}

export interface FrameStream {
  /** Server-sent events, as HTTP has them. */
  body: ReadableStream<Uint8Array>;
  push: (message: NatsMessage, headers: ReadonlyMap<string, string>) => void;
  end: (headers: ReadonlyMap<string, string>) => void;
  fail: (error: unknown) => void;
}

/** Frames as they are read: each is confirmed when the reader takes it, so a slow reader slows the sender. */
export function frameStream(onCancel: () => void): FrameStream {
  const waiting: WaitingFrame[] = [];
  let wake: (() => void) | undefined;
  let outcome: { error?: unknown } | undefined;
  const encoder = new TextEncoder();
  const decoder = new TextDecoder();
  const add = (text: string, confirm?: () => void): void => {
    waiting.push({ bytes: encoder.encode(text), confirm });
    wake?.();
  };
  const body = new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        while (waiting.length === 0 && !outcome) await new Promise<void>((resolve) => (wake = resolve));
        const frame = waiting.shift();
        if (frame) {
          controller.enqueue(frame.bytes);
          frame.confirm?.();
        } else if (outcome?.error !== undefined) controller.error(outcome.error);
        else controller.close();
      },
      cancel: onCancel,
    },
    { highWaterMark: 0 },
  );
  return {
    body,
    push: (message, headers) => {
      if (headers.get('switchyard-ping') === 'true') {
        add(': ping\n\n');
        return;
      }
      const seq = headers.get('switchyard-frame') ?? '';
      const data = decoder.decode(message.data).split('\n').join('\ndata: ');
      const isPace = headers.get('switchyard-pace') === 'true';
      add(`id: ${seq}\ndata: ${data}\n\n`, isPace ? () => message.respond() : undefined);
    },
    /** A stream that ended because nothing was confirmed is broken: the reader attaches again. */
    end: (headers) => {
      const status = headers.get('switchyard-status');
      outcome =
        status === undefined || status === '200' ? {} : { error: new TypeError(`The stream ended with ${status}.`) };
      wake?.();
    },
    fail: (error) => {
      waiting.length = 0;
      outcome = { error: error ?? new TypeError('The stream broke.') };
      wake?.();
    },
  };
}
