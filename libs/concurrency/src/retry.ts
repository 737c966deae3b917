import { backoffMs, sleep } from '@switchyard/kernel';

interface Pauses {
  /** The first pause is up to this long, and each further one up to twice as long as the one before. */
  baseMs: number;
  maxMs: number;
  /** False if another attempt makes no sense: the error is thrown at once. */
  shouldRetry: (error: unknown, attempt: number) => boolean | Promise<boolean>;
  /** Ends a pause, and with it the attempts. */
  signal?: AbortSignal;
}

/** Attempts end by their number, by time, or both. `withinMs`: no attempt begins later than this after the first. */
type End = { attempts: number; withinMs?: number } | { attempts?: number; withinMs: number };

export type RetryOptions = Pauses & End;

/** Repeats what may fail for a moment, with growing pauses of a random part. Throws the last error at the end. */
export async function retry<T>(work: (attempt: number) => Promise<T>, options: RetryOptions): Promise<T> {
  const { attempts = Infinity, withinMs = Infinity, signal, shouldRetry } = options;
  const isAborted = (): boolean => signal?.aborted === true;
  const beganAt = performance.now();
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work(attempt);
    } catch (error) {
      if (attempt >= attempts || isAborted() || !(await shouldRetry(error, attempt))) throw error;
      const pauseMs = backoffMs(attempt, options);
      if (performance.now() + pauseMs - beganAt > withinMs) throw error;
      await sleep(pauseMs, signal);
      if (isAborted()) throw error;
    }
  }
}
