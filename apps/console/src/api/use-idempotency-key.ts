import { useRef } from 'react';

export interface IdempotencyKeys {
  /** The same key for the same request, until it has succeeded: pressing again after no answer does it once. */
  keyFor: (request: unknown) => string;
  /** It has succeeded: the same request again is another one. */
  done: () => void;
}

export function useIdempotencyKey(): IdempotencyKeys {
  const last = useRef<{ request: string; key: string } | null>(null);
  return {
    keyFor: (request) => {
      const text = JSON.stringify(request);
      if (last.current?.request !== text) last.current = { request: text, key: crypto.randomUUID() };
      return last.current.key;
    },
    done: () => {
      last.current = null;
    },
  };
}
